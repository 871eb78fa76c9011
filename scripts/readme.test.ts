import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "./lib/run.ts";
import { MAX_PICTURE_BYTES } from "./lib/screens/readme.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const pictures = [...readme.matchAll(/<img src="([^"]+)"[^>]*?( alt="[^"]{20,}")?>/g)];
const operating = readFileSync(join(root, "docs/operating.md"), "utf8");
const operatingPictures = [...operating.matchAll(/!\[([^\]]*)\]\((images\/[^)]+)\)/g)];

test("README and docs/operating.md: every picture exists, has an alternative text and is at most 150 kB; docs/images has no other", () => {
  const described = new Map<string, boolean>();
  for (const [, src = "", alt] of pictures) described.set(src, alt !== undefined);
  for (const [, alt = "", src] of operatingPictures)
    described.set(`docs/${src}`, alt.length >= 20 && described.get(`docs/${src}`) !== false);
  const shown = [...described].map(([src, isDescribed]) => ({ src, isDescribed, isSmall: isSmall(src) }));
  const files = readdirSync(join(root, "docs/images")).map((name) => `docs/images/${name}`);
  expect(shown.toSorted((a, b) => a.src.localeCompare(b.src))).toEqual(
    files.toSorted((a, b) => a.localeCompare(b)).map((src) => ({ src, isDescribed: true, isSmall: true })),
  );
  expect(files.length).toBeGreaterThan(3);
});

const isSmall = (src: string): boolean => statSync(join(root, src)).size <= MAX_PICTURE_BYTES;

test("README: begins with the commands; the pictures come before Docker", () => {
  const order = ["npx -y pnpm@10.34.8 start", "./market --help", pictures[0]?.[0] ?? "", "docker compose up"];
  const places = order.map((text) => readme.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("README: every relative link leads to a file", () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);
  expect(links.filter((path) => !statSync(join(root, path), { throwIfNoEntry: false }))).toEqual([]);
});
