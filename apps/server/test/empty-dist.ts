import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A built web app that is nothing but the places the server fills; in `folder`, which its owner removes. */
export function emptyDist(folder: string): string {
  const dist = join(folder, "web");
  mkdirSync(dist, { recursive: true });
  const page =
    '<!doctype html><html><head><!--head--></head><body><div id="root"><!--postcard--></div><!--boot--></body></html>';
  for (const name of ["index.html", "embed.html"]) writeFileSync(join(dist, name), page);
  return dist;
}
