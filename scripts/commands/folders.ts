import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Problem } from "@marketday/server/lib/file-problem";
import { exportContent } from "@marketday/server/modules/content/export-content";
import { type ContentFile, importContent } from "@marketday/server/modules/content/import-content";
import { findUploads, importPictures, type PictureFile } from "@marketday/server/modules/pictures/import-pictures";
import type { Command } from "commander";

import { command, group, type Tools } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";
import { fieldLines } from "../lib/files/field-changes.ts";
import { withFileName } from "../lib/files/import-errors.ts";
import { keepGoing, rejectedPath, rejectedWords, writeRejectedFiles } from "../lib/files/keep-going.ts";
import { writeFolder } from "../lib/files/write-folder.ts";

/** Sorted names of the files in a folder, without hidden ones. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new CliError(EXIT.input, `${folder} is not a readable folder. Nothing was written.`);
  });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .toSorted();
}

/** Files that operating systems add to folders of pictures. */
const isNoise = (name: string): boolean =>
  name.startsWith(".") || ["thumbs.db", "ehthumbs.db", "desktop.ini"].includes(name.toLowerCase());

interface FolderPictures {
  files: PictureFile[];
  /** Paths that were not read, relative to the folder. */
  skipped: string[];
}

/** The pictures in a folder and its subfolders, sorted by path. */
async function picturesIn(folder: string, below = ""): Promise<FolderPictures> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => {
    throw new CliError(EXIT.input, `${join(folder, below)} is not a readable folder. Nothing was written.`);
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

/** Maximum number of skipped files that are printed by name. */
const SKIPPED_SHOWN = 5;
const formatSkipped = (skipped: readonly string[]): string[] =>
  skipped.length === 0
    ? []
    : [
        `Skipped ${some(skipped.length, "files")} of the operating system: ${skipped.slice(0, SKIPPED_SHOWN).join(", ")}${skipped.length > SKIPPED_SHOWN ? ", …" : ""}.`,
      ];

/** Maximum number of replaced pictures that are printed by name. */
const REPLACED_SHOWN = 50;
const formatReplaced = (names: readonly string[], dryRun: boolean): string[] =>
  names.length === 0
    ? []
    : [
        `${dryRun ? "Would be replaced" : "Replaced"}: ${names.slice(0, REPLACED_SHOWN).join(", ")}${names.length > REPLACED_SHOWN ? ` and ${names.length - REPLACED_SHOWN} more` : ""}.`,
      ];

const UNCHANGED = "The market already has all of it; nothing was changed.";

type ImportTools = Tools<{ keepGoing?: boolean }>;

const importOptions = ({ options, signal }: ImportTools) => ({
  dryRun: options.dryRun === true,
  keepGoing: options.keepGoing === true,
  signal,
});

/** Writes the list of rejected files beside the folder. Returns its path and the lines to print. */
async function reportRejected(folder: string, rejected: readonly Problem[], { options }: ImportTools) {
  const rejectedFile = rejected.length > 0 ? rejectedPath(folder, "csv") : null;
  if (rejectedFile && !options.dryRun) await writeRejectedFiles(rejectedFile, rejected);
  return { rejectedFile, lines: rejectedWords(folder, "files", rejected, options.dryRun ? null : rejectedFile) };
}
const rejectedCount = (rejected: readonly Problem[]): string =>
  rejected.length > 0 ? `, ${rejected.length} rejected` : "";

/** `market images import|export`. */
export const imagesCommand = (): Command =>
  group("images", "import pictures from a folder, or export them to one", [
    command<{ keepGoing?: boolean }>({
      name: "import <folder>",
      summary: "import pictures from a folder",
      about:
        "Other imports refer to a picture by its file name: My Photo (1).JPG. A different picture with the same name replaces it\nwherever it is shown. Subfolders are imported too; each file name can occur only once in all of them.",
      examples: ["images import photos --dry-run", "images import photos"],
      options: keepGoing("files"),
      writes: true,
      async run(tools, folder) {
        const { options, out, market } = tools;
        const { files, skipped } = await picturesIn(folder);
        if (files.length === 0) throw new CliError(EXIT.input, `There are no pictures in ${folder}.`);
        const bar = out.progress("Reading");
        const done = await withFileName(folder, () =>
          market((ctx) => importPictures(ctx, files, { ...importOptions(tools), onProgress: bar.at }), {
            long: true,
            stopsItself: true,
          }),
        ).finally(() => bar.end());
        const { rejectedFile, lines } = await reportRejected(folder, done.rejected, tools);
        out.answer({ ...done, skipped, dryRun: options.dryRun === true, rejectedFile }, () =>
          [
            `${options.dryRun ? "Would import" : "Imported"} ${folder}: ${done.created} new, ${done.replaced} replaced, ${done.unchanged} unchanged${rejectedCount(done.rejected)}.`,
            ...(done.created + done.replaced + done.rejected.length > 0 ? [] : [UNCHANGED]),
            ...formatReplaced(done.replacedNames, options.dryRun === true),
            ...formatSkipped(skipped),
            ...lines,
          ].join("\n"),
        );
      },
    }),
    command({
      name: "export <folder>",
      summary: "export the imported pictures to a folder, under their names",
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
  group("content", "import pages, the FAQ and the blog from Markdown, or export them", [
    command<{ keepGoing?: boolean }>({
      name: "import <folder>",
      summary: "import pages, the FAQ and the blog from Markdown files",
      about:
        "PAGE.md is a page (# title, then its text), faq.md is the FAQ (each ## question with its answer; it replaces the whole FAQ),\nblog/POST.md is a post: # title, lines author:, date:, category: news or blog, vendor:, image:, an empty line, text.\nWhat a file of an existing page, question or post leaves out (a line, the text, the answer) stays as it is; the word `none`\nempties it. A dry run lists each value that would change, old → new, and the questions that would go.",
      examples: ["content import words --dry-run", "content import words"],
      options: keepGoing("files"),
      writes: true,
      async run(tools, folder) {
        const { options, out, market } = tools;
        const pages = (await filesIn(folder)).filter((name) => /\.md$/i.test(name));
        const posts = (await filesIn(join(folder, "blog")).catch(() => [])).filter((name) => /\.md$/i.test(name));
        const names = [...pages, ...posts.map((name) => `blog/${name}`)];
        if (names.length === 0) throw new CliError(EXIT.input, `There are no Markdown files in ${folder}.`);
        const files: ContentFile[] = [];
        for (const name of names) files.push({ name, text: await readFile(join(folder, name), "utf8") });
        const done = await withFileName(folder, () =>
          market((ctx) => importContent(ctx, files, importOptions(tools)), { stopsItself: true }),
        );
        const { rejectedFile, lines } = await reportRejected(folder, done.rejected, tools);
        const imported = files.length - done.rejected.length;
        out.answer({ files: imported, ...done, dryRun: options.dryRun === true, rejectedFile }, () =>
          [
            `${options.dryRun ? "Would import" : "Imported"} ${some(imported, "files")} from ${folder}; new or changed: ${some(done.pages, "pages")}, ${some(done.questions, "questions")}, ${some(done.posts, "posts")}${rejectedCount(done.rejected)}.`,
            ...(done.pages + done.questions + done.posts + done.rejected.length > 0 ? [] : [UNCHANGED]),
            ...fieldLines(done.fields, options.dryRun === true),
            ...lines,
          ].join("\n"),
        );
      },
    }),
    command({
      name: "export <folder>",
      summary: "export pages, the FAQ and the blog as Markdown files",
      examples: ["content export words"],
      async run({ out, market, signal }, folder) {
        const files = await market((ctx) => exportContent(ctx));
        const texts = files.map(({ name, text }) => ({ name, make: (to: string) => writeFile(to, text) }));
        await writeFolder(folder, texts, signal);
        out.answer({ folder, files: files.length }, () => `Wrote ${some(files.length, "files")} to ${folder}.`);
      },
    }),
  ]);
