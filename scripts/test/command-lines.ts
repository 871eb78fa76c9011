/** Splits a command line into arguments like a shell. */
export const splitCommandLine = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

/** The lines of a page's `sh` blocks in order, without comments. */
export const shellLines = (page: string): string[] =>
  [...page.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .flatMap(([, block]) => (block ?? "").trim().split("\n"))
    .map((line) => line.replace(/ +#.*$/, ""));

/** The command lines in a part of a page that begin with `start`: first those in blocks, then those in the text. */
export function commandLines(part: string, start = "./market "): string[] {
  const text = part.replaceAll(/^```[^]*?^```$/gm, "");
  const inline = [...text.matchAll(/`([^`]+)`/g)].map(([, line]) => line ?? "");
  return [...shellLines(part), ...inline].filter((line) => line.startsWith(start) && !line.includes("…"));
}

/** The files in a page (```csv file=NAME), with their content. */
export const filesOf = (page: string): [name: string, content: string][] =>
  [...page.matchAll(/^```\w+ file=(\S+)\n([^]*?)^```$/gm)].map(([, name, content]) => [name ?? "", content ?? ""]);
