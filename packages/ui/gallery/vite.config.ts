import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

import { galleryPictures } from "./pictures.ts";

/** `pnpm gallery`: it is only served, and never built. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite/gallery",
  plugins: [react(), galleryPictures()],
  server: { port: 5174 },
});
