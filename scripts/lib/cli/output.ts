import { isatty } from "node:tty";

import { SingleBar } from "cli-progress";
import Table from "cli-table3";
import colors from "picocolors";

/** The progress of long work. */
interface Progress {
  /** `done` of `total`; without a total it only counts. */
  at(done: number, total?: number, step?: string): void;
  end(): void;
}

/** The output of a command: text or one JSON value on standard output, progress on standard error. */
export interface Output {
  json: boolean;
  color: ReturnType<typeof colors.createColors>;
  /** A line for people; nothing with `--json`. */
  say(line?: string): void;
  /** Prints the result: as JSON with `--json`, else as formatted by `people`. */
  answer<T>(value: T, people: (value: T) => string): void;
  /** Aligned columns under a header, for `answer`. Columns named in `right` hold numbers. */
  table(
    head: readonly string[],
    rows: readonly (readonly (string | number | null)[])[],
    right?: readonly string[],
  ): string;
  /** A bar on a terminal, nothing elsewhere and nothing with `--json`. */
  progress(title: string): Progress;
}

const plain = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
/** Removes a terminal's control characters from text of others (failures.md L7). */
export const stripControls = (text: string): string => text.replaceAll(CONTROLS, "");

/** @param json whether standard output holds one JSON value and nothing else */
export function output(json: boolean): Output {
  const onTerminal = isatty(1) && !json;
  const color = colors.createColors(onTerminal && !process.env["NO_COLOR"]);
  return {
    json,
    color,
    say: (line = "") => {
      if (!json) console.log(stripControls(line));
    },
    answer(value, people) {
      const text = json ? JSON.stringify(value, null, 2) : people(value);
      if (json) console.log(text);
      else if (text !== "") console.log(onTerminal ? text : stripControls(text));
    },
    table(head, rows, right = []) {
      const table = new Table({
        head: head.map((title) => color.bold(title)),
        chars: plain,
        colAligns: head.map((title) => (right.includes(title) ? "right" : "left")),
        style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
      });
      for (const row of rows) table.push(row.map((cell) => stripControls(String(cell ?? ""))));
      return table
        .toString()
        .split("\n")
        .map((line) => line.trimEnd())
        .join("\n");
    },
    progress(title) {
      if (json || !process.stderr.isTTY) return { at: () => undefined, end: () => undefined };
      const bar = new SingleBar({
        format: `  {bar} {step}`,
        hideCursor: true,
        barsize: 24,
        stream: process.stderr,
        barCompleteChar: "█",
        barIncompleteChar: "░",
        clearOnComplete: true,
      });
      let started = false;
      return {
        at(done, total, step = title) {
          const count = done.toLocaleString("en-US");
          const payload = {
            step: total === undefined ? `${step} ${count}` : `${step} ${count} of ${total.toLocaleString("en-US")}`,
          };
          if (!started) bar.start(Math.max(1, total ?? 1), 0, payload);
          started = true;
          bar.setTotal(Math.max(1, total ?? done + 1));
          bar.update(done, payload);
        },
        end: () => bar.stop(),
      };
    },
  };
}
