import type { Command } from "commander";

/** Columns of the widest help text: longer lines are hard to read. */
const MAX_WIDTH = 100;
/** Columns where the output is no terminal. */
const DEFAULT_WIDTH = 80;

const widthOf = ({ columns = DEFAULT_WIDTH }: { columns?: number }): number => Math.min(columns, MAX_WIDTH);

/** "  slug   ", the beginning of a line of a list: what follows is indented as far on its next lines. */
const LIST_ITEM = /^ +(?:\S+ {2,})?/;
/** "Columns:", the title of a list. */
const LIST_TITLE = /^\w+:$/;

/** The paragraphs and lists of a text whose paragraphs may be broken into lines anywhere. */
function joinParagraphs(text: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const isParagraph = line !== "" && !line.startsWith(" ") && !LIST_TITLE.test(line);
    if (isParagraph && isOpen) blocks.push(`${blocks.pop()} ${line}`);
    else blocks.push(line);
    isOpen = isParagraph;
  }
  return blocks;
}

/** Wraps each paragraph and each line of a list once, to `width` columns. */
const wrapHelp = (text: string, width: number): string =>
  joinParagraphs(text)
    .flatMap((block) => {
      const [head = ""] = LIST_ITEM.exec(block) ?? [];
      const lines = [head];
      let isEmpty = true;
      for (const word of block.slice(head.length).split(" ")) {
        const line = lines.at(-1) ?? "";
        if (isEmpty) lines[lines.length - 1] = `${line}${word}`;
        else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
        else lines.push(`${" ".repeat(head.length)}${word}`);
        isEmpty = false;
      }
      return lines;
    })
    .join("\n");

/** A text below the options, wrapped when it is printed. */
export const addHelp = (command: Command, text: string): Command =>
  command.addHelpText("after", () => wrapHelp(text, widthOf(process.stdout)));

/** Help as wide as the terminal, at most 100 columns. */
export const withHelpWidth = (command: Command): Command =>
  command
    .configureOutput({ getOutHelpWidth: () => widthOf(process.stdout), getErrHelpWidth: () => widthOf(process.stderr) })
    .configureHelp({ ...command.configureHelp(), boxWrap: wrapHelp });
