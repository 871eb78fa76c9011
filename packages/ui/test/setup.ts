import { afterEach } from "vitest";

import "../src/styles/base.css";
import "../src/styles/admin-tokens.css";
import adminSprite from "../src/icon/admin-sprite.svg?raw";
import sprite from "../src/icon/sprite.svg?raw";
import { unmountAll } from "./render.tsx";

document.body.insertAdjacentHTML("afterbegin", sprite + adminSprite);
afterEach(unmountAll);
