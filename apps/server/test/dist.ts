import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import { createTestFolder } from "@marketday/db/testing";

/** The template with its placeholders. */
const page =
  '<!doctype html><html><head><!--head--></head><body><div id="root"><!--fallback--></div><!--boot--></body></html>';

/** A small built app: the template with its placeholders, a manifest and one hashed file. */
export function fakeDist(): string {
  const dist = createTestFolder("dist");
  mkdirSync(join(dist, ".vite"));
  mkdirSync(join(dist, "assets"));
  writeFileSync(join(dist, "index.html"), page);
  writeFileSync(join(dist, "embed.html"), page.replace("<body>", '<body class="frame">'));
  writeFileSync(join(dist, "assets/app-1.js"), "export {};");
  writeFileSync(
    join(dist, ".vite/manifest.json"),
    JSON.stringify({
      "index.html": { file: "assets/app-1.js", imports: ["_kit.js"] },
      "_kit.js": { file: "assets/kit-1.js" },
      "src/features/hubs/welcome-modal.tsx": { file: "assets/welcome-1.js", imports: ["_kit.js"] },
      "_shared.js": { file: "assets/shared-1.js" },
      "src/features/products/product-panel.tsx": {
        file: "assets/product-1.js",
        imports: ["_kit.js", "_shared.js"],
        css: ["assets/product-1.css"],
      },
    }),
  );
  return dist;
}

/** A small built admin app: its page and one hashed file, also compressed. */
export function fakeAdminDist(): string {
  const dist = createTestFolder("admin-dist");
  mkdirSync(join(dist, "assets"));
  writeFileSync(join(dist, "index.html"), '<!doctype html><title>Back office</title><div id="root"></div>');
  writeFileSync(join(dist, "assets/admin-1.js"), "export {};");
  writeFileSync(join(dist, "assets/admin-1.js.br"), brotliCompressSync("export {};"));
  return dist;
}

/** A built web app whose template contains only the placeholders, in `folder`, which the caller removes. */
export function emptyDist(folder: string): string {
  const dist = join(folder, "web");
  mkdirSync(dist, { recursive: true });
  for (const name of ["index.html", "embed.html"]) writeFileSync(join(dist, name), page);
  return dist;
}
