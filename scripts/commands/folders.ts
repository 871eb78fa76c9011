import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { exportContent } from "@marketday/server/modules/content/export-content";
import { type ContentFile, importContent } from "@marketday/server/modules/content/import-content";
import type { Problem } from "@marketday/server/modules/imports/problem";
import { findUploads, importPictures, type PictureFile } from "@marketday/server/modules/pictures/import-pictures";
import type { Command } from "commander";

import { command, group, type Tools } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";
import { keepGoing, rejectedPath, rejectedWords, writeRejectedFiles } from "../lib/files/keep-going.ts";
import { withFileName } from "../lib/files/with-file-name.ts";
import { writeFolder } from "../lib/files/write-folder.ts";

/** Names of the files in a folder, sorted; hidden ones are left out. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new CliError(EXIT.input, `${folder} is no folder that can be read. Nothing was written.`);
  });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .toSorted();
}

/** Files that computers put into folders of pictures. */
const isNoise = (name: string): boolean =>
  name.startsWith(".") || ["thumbs.db", "ehthumbs.db", "desktop.ini"].includes(name.toLowerCase());

interface FolderPictures {
  files: PictureFile[];
  /** What is left out, below the folder. */
  skipped: string[];
}

/** The pictures in a folder and in the folders in it, by path. */
async function picturesIn(folder: string, below = ""): Promise<FolderPictures> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => {
    throw new CliError(EXIT.input, `${join(folder, below)} is no folder that can be read. Nothing was written.`);
  });
  const found: FolderPictures = { files: [], skipped: [] };
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const relativePath = join(below, entry.name);
    if (isNoise(entry.name) || entry.name === "__MACOSX") found.skipped.push(relativePath);
    else if (entry.isDirectory()) {
      const { files, skipped } = await picturesIn(folder, relativePath);
      found.files.push(...files);
      found.skipped.push(...skipped);
    } else if (entry.isFile()) found.files.push({ name: entry.name, path: join(folder, relativePath), relativePath });
    else found.skipped.push(relativePath);
  }
  return found;
}

/** At most this many names of skipped files are printed. */
const SKIPPED_SHOWN = 5;
const skippedWords = (skipped: readonly string[]): string[] =>
  skipped.length === 0
    ? []
    : [
        `Skipped ${some(skipped.length, "files")} that computers put there: ${skipped.slice(0, SKIPPED_SHOWN).join(", ")}${skipped.length > SKIPPED_SHOWN ? ", …" : ""}.`,
      ];

const UNCHANGED = "The market has all of it already; nothing was changed.";

type Importing = Tools<{ keepGoing?: boolean }>;

/** How a folder is taken in, and afterwards the files that were not. */
const how = ({ options, signal }: Importing) => ({
  dryRun: options.dryRun === true,
  keepGoing: options.keepGoing === true,
  signal,
});
async function tellRejected(folder: string, rejected: readonly Problem[], { options }: Importing) {
  const rejectedFile = rejected.length > 0 ? rejectedPath(folder, "csv") : null;
  if (rejectedFile && !options.dryRun) await writeRejectedFiles(rejectedFile, rejected);
  return { rejectedFile, words: rejectedWords(folder, "files", rejected, options.dryRun ? null : rejectedFile) };
}
const rejectedCount = (rejected: readonly Problem[]): string =>
  rejected.length > 0 ? `, ${rejected.length} rejected` : "";

/** `market images import|export`. */
export const imagesCommand = (): Command =>
  group("images", "bring pictures in from a folder, or write them to one", [
    command<{ keepGoing?: boolean }>({
      name: "import <folder>",
      summary: "bring pictures in from a folder",
      about:
        "Other files name a picture as its file is called: My Photo (1).JPG. The same name with another picture replaces it\nwherever it is shown. Folders in the folder are imported too; a name can be used once in all of them.",
      examples: ["images import photos --dry-run", "images import photos"],
      options: keepGoing("files"),
      writes: true,
      async run(tools, folder) {
        const { options, out, market } = tools;
        const { files, skipped } = await picturesIn(folder);
        if (files.length === 0) throw new CliError(EXIT.input, `There are no pictures in ${folder}.`);
        const bar = out.progress("Reading");
        const done = await withFileName(folder, () =>
          market((ctx) => importPictures(ctx, files, { ...how(tools), onProgress: bar.at }), {
            long: true,
            stopsItself: true,
          }),
        ).finally(() => bar.end());
        const { rejectedFile, words } = await tellRejected(folder, done.rejected, tools);
        out.answer({ ...done, skipped, dryRun: options.dryRun === true, rejectedFile }, () =>
          [
            `${options.dryRun ? "Would take in" : "Took in"} ${folder}: ${done.created} new, ${done.replaced} replaced, ${done.unchanged} as they were${rejectedCount(done.rejected)}.`,
            ...(done.created + done.replaced + done.rejected.length > 0 ? [] : [UNCHANGED]),
            ...skippedWords(skipped),
            ...words,
          ].join("\n"),
        );
      },
    }),
    command({
      name: "export <folder>",
      summary: "write the pictures that were brought in to a folder, under their names",
      examples: ["images export photos"],
      async run({ out, market, signal }, folder) {
        const files = await market((ctx) => findUploads(ctx));
        const copies = files.map(({ name, path }) => ({ name, make: (to: string) => copyFile(path, to) }));
        await writeFolder(folder, copies, signal);
        out.answer({ folder, files: files.length }, () => `Wrote ${some(files.length, "pictures")} to ${folder}.`);
      },
    }),
  ]);

/** `market content import|export`. */
export const contentCommand = (): Command =>
  group("content", "bring pages, the FAQ and the blog in from Markdown, or write them to it", [
    command<{ keepGoing?: boolean }>({
      name: "import <folder>",
      summary: "bring pages, the FAQ and the blog in from Markdown files",
      about:
        "PAGE.md is a page (# title, then its words), faq.md the FAQ (each ## question with its answer, which replaces what was\nthere), blog/POST.md a post: # title, lines author:, date:, category: news or blog, vendor:, image:, an empty line, words.",
      examples: ["content import words --dry-run", "content import words"],
      options: keepGoing("files"),
      writes: true,
      async run(tools, folder) {
        const { options, out, market } = tools;
        const pages = (await filesIn(folder)).filter((name) => name.endsWith(".md"));
        const posts = (await filesIn(join(folder, "blog")).catch(() => [])).filter((name) => name.endsWith(".md"));
        const names = [...pages, ...posts.map((name) => `blog/${name}`)];
        if (names.length === 0) throw new CliError(EXIT.input, `There are no Markdown files in ${folder}.`);
        const files: ContentFile[] = [];
        for (const name of names) files.push({ name, text: await readFile(join(folder, name), "utf8") });
        const done = await withFileName(folder, () =>
          market((ctx) => importContent(ctx, files, how(tools)), { stopsItself: true }),
        );
        const { rejectedFile, words } = await tellRejected(folder, done.rejected, tools);
        const taken = files.length - done.rejected.length;
        out.answer({ files: taken, ...done, dryRun: options.dryRun === true, rejectedFile }, () =>
          [
            `${options.dryRun ? "Would take in" : "Took in"} ${some(taken, "files")} of ${folder}; new or different: ${some(done.pages, "pages")}, ${some(done.questions, "questions")}, ${some(done.posts, "posts")}${rejectedCount(done.rejected)}.`,
            ...(done.pages + done.questions + done.posts + done.rejected.length > 0 ? [] : [UNCHANGED]),
            ...words,
          ].join("\n"),
        );
      },
    }),
    command({
      name: "export <folder>",
      summary: "write pages, the FAQ and the blog as Markdown files",
      examples: ["content export words"],
      async run({ out, market, signal }, folder) {
        const files = await market((ctx) => exportContent(ctx));
        const texts = files.map(({ name, text }) => ({ name, make: (to: string) => writeFile(to, text) }));
        await writeFolder(folder, texts, signal);
        out.answer({ folder, files: files.length }, () => `Wrote ${some(files.length, "files")} to ${folder}.`);
      },
    }),
  ]);
