import { AppError } from "./app-error.ts";

/** Deeper than any contract; deeper bodies are attacks. */
const MAX_DEPTH = 32;

const invalidJson = () => new AppError(400, "That request is not understood.", { code: "invalid" });

/** Only UTF-8 without a byte order mark, so that the text is unambiguous. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An escaped half of a surrogate pair; UTF-8 cannot contain an unescaped one. */
const HALF = /\\ud[89a-f]/i;
const rejectHalves = (name: string, value: unknown): unknown => {
  if (!name.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) throw invalidJson();
  return value;
};

/**
 * Rejects JSON that parsers handle differently or that is unsafe: a duplicate name in an object, too much depth, and names
 * that change every object's prototype. One pass, no recursion.
 */
function rejectUnsafe(text: string): void {
  /** Names of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "{" || char === "[") {
      open.push(char === "{" ? new Set() : null);
      if (open.length > MAX_DEPTH) throw invalidJson();
    } else if (char === "}" || char === "]") open.pop();
    else if (char === '"') {
      const from = at;
      for (at += 1; text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
      const names = open.at(-1);
      if (!names || !isName(text, at + 1)) continue;
      const name = JSON.parse(text.slice(from, at + 1)) as string;
      if (names.has(name)) throw invalidJson();
      if (name === "__proto__" || name === "constructor" || name === "prototype") throw invalidJson();
      names.add(name);
    }
  }
}

/** Whether the string that ended before `at` is a name: a colon follows. */
function isName(text: string, at: number): boolean {
  let next = at;
  while (text[next] === " " || text[next] === "\n" || text[next] === "\r" || text[next] === "\t") next += 1;
  return text[next] === ":";
}

/**
 * Parses a JSON body (failures.md I9). Throws 400 for invalid JSON or UTF-8, a byte order mark, half of a surrogate pair, a
 * duplicate name, more than 32 levels, or the names `__proto__`, `prototype` and `constructor`.
 */
export function strictJson(body: Buffer): unknown {
  let value: unknown;
  let text: string;
  try {
    text = utf8.decode(body);
    value = JSON.parse(text);
  } catch {
    throw invalidJson();
  }
  if (typeof value === "object" && value !== null) rejectUnsafe(text);
  // Last, because it recurses as deep as the text.
  if (HALF.test(text)) JSON.parse(text, rejectHalves);
  return value;
}
