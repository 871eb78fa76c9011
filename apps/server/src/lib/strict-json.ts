import { AppError } from "./app-error.ts";

/** Deeper than anything a contract has; what is deeper is made to hurt. */
const MOST_DEPTH = 32;

const refused = () => new AppError(400, "That request is not understood.", { code: "invalid" });

/** Only UTF-8, and no byte order mark: one text has one reading. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Half of a surrogate pair, spelled out: what is UTF-8 has none in any other form. */
const HALF = /\\ud[89a-f]/i;
const refuseHalves = (name: string, value: unknown): unknown => {
  if (!name.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) throw refused();
  return value;
};

/**
 * Looks through text that is JSON for what readers of JSON disagree about: a name twice in one object, of which some
 * take the first and some the last; depth without end; names that reach into every object. One pass, no recursion.
 */
function refuseTricks(text: string): void {
  /** Names of the objects we are in; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "{" || char === "[") {
      open.push(char === "{" ? new Set() : null);
      if (open.length > MOST_DEPTH) throw refused();
    } else if (char === "}" || char === "]") open.pop();
    else if (char === '"') {
      const from = at;
      for (at += 1; text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
      const names = open.at(-1);
      if (!names || !isName(text, at + 1)) continue;
      const name = JSON.parse(text.slice(from, at + 1)) as string;
      if (names.has(name)) throw refused();
      if (name === "__proto__" || name === "constructor" || name === "prototype") throw refused();
      names.add(name);
    }
  }
}

/** Is what ended before `at` a name: does a colon come next? */
function isName(text: string, at: number): boolean {
  let next = at;
  while (text[next] === " " || text[next] === "\n" || text[next] === "\r" || text[next] === "\t") next += 1;
  return text[next] === ":";
}

/**
 * Reads a body that says it is JSON (failures.md I9). Throws a 400 for what is no JSON, no UTF-8, begins with a byte order
 * mark, holds half a character, names a thing twice, is deeper than 32, or names `__proto__`, `prototype` or `constructor`.
 */
export function strictJson(body: Buffer): unknown {
  let value: unknown;
  let text: string;
  try {
    text = utf8.decode(body);
    value = JSON.parse(text);
  } catch {
    throw refused();
  }
  if (typeof value === "object" && value !== null) refuseTricks(text);
  // Last: the walk is as deep as the text.
  if (HALF.test(text)) JSON.parse(text, refuseHalves);
  return value;
}
