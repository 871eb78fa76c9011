import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";

import "../src/styles/base.css";
import "../src/styles/admin-tokens.css";
import adminSprite from "../src/icon/admin-sprite.svg?raw";
import sprite from "../src/icon/sprite.svg?raw";
import { Gallery } from "./gallery.tsx";

document.body.insertAdjacentHTML("afterbegin", sprite + adminSprite);
createRoot(document.getElementById("root") as HTMLElement).render(
  <MemoryRouter>
    <Gallery />
  </MemoryRouter>,
);
