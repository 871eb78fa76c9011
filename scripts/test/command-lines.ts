/** The words of a command line as a shell would take them apart. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

/** Lines of a page's `sh` blocks, in order, without comments. */
export const shellLines = (page: string): string[] =>
  [...page.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .flatMap(([, block]) => (block ?? "").trim().split("\n"))
    .map((line) => line.replace(/ +#.*$/, ""));

/** Command lines of a part of a page that begin with `start`: those in blocks, in order, then those in the text. */
export function commandLines(part: string, start = "./market "): string[] {
  const text = part.replaceAll(/^```[^]*?^```$/gm, "");
  const inline = [...text.matchAll(/`([^`]+)`/g)].map(([, line]) => line ?? "");
  return [...shellLines(part), ...inline].filter((line) => line.startsWith(start) && !line.includes("…"));
}

/** Files that a page shows (```csv file=NAME), by name. */
export const filesOf = (page: string): [name: string, content: string][] =>
  [...page.matchAll(/^```\w+ file=(\S+)\n([^]*?)^```$/gm)].map(([, name, content]) => [name ?? "", content ?? ""]);
