import { afterEach } from "vitest";

import "../src/styles/base.css";
import sprite from "../src/icon/sprite.svg?raw";
import { unmountAll } from "./render.tsx";

document.body.insertAdjacentHTML("afterbegin", sprite);
afterEach(unmountAll);
