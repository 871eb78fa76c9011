import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import ts from "typescript";

import { root } from "./lib/run.ts";

/** Literal texts that the shop still has outside of its message catalogues. It only goes down (docs/decisions/0024). */
export const SHOP_LITERALS = 1286;

/** Where every text is in a catalogue. */
const CONVERTED = ["packages/ui/src", "apps/admin", "apps/field"];
/** Apps in English only, whose catalogues have no Spanish one beside them. */
const ENGLISH_ONLY = ["apps/admin/**"];
/** Where most are literals in the components. */
const SHOP = ["apps/web/src", "packages/client/src"];

/** Attributes, and properties of what is passed on, that are shown or read out. */
const VISIBLE =
  /^(?:alt|aria-(?:description|label|placeholder|roledescription|valuetext)|body|busy|heading|hint|label|legend|message|note|placeholder|text|title|verb|why|words)$|Label$/;

/** Functions whose first argument is shown or read out. */
const SHOWING = new Set(["announce", "useTitle"]);

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** The literals with letters that an expression may result in. What a call returns is the called function's. */
function* literalsIn(node: ts.Node | undefined): Generator<ts.Node> {
  if (!node) return;
  if (ts.isStringLiteralLike(node)) {
    if (hasLetters(node.text)) yield node;
  } else if (ts.isTemplateExpression(node)) {
    if ([node.head, ...node.templateSpans.map(({ literal }) => literal)].some(({ text }) => hasLetters(text)))
      yield node;
    for (const { expression } of node.templateSpans) yield* literalsIn(expression);
  } else if (ts.isConditionalExpression(node)) {
    yield* literalsIn(node.whenTrue);
    yield* literalsIn(node.whenFalse);
  } else if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isEither = kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
    if (isEither || kind === ts.SyntaxKind.PlusToken) yield* literalsIn(node.left);
    if (isEither || kind === ts.SyntaxKind.PlusToken || kind === ts.SyntaxKind.AmpersandAmpersandToken)
      yield* literalsIn(node.right);
  } else if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isJsxExpression(node)
  ) {
    yield* literalsIn(node.expression);
  }
}

/** The literals that a node shows; those of the nodes inside of it are theirs. */
function* literalsOf(node: ts.Node): Generator<ts.Node> {
  if (ts.isJsxText(node)) {
    if (hasLetters(node.text.replaceAll(/&#?\w+;/g, ""))) yield node;
  } else if (ts.isJsxExpression(node)) {
    if (!ts.isJsxAttribute(node.parent)) yield* literalsIn(node);
  } else if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) || ts.isBindingElement(node)) {
    const name = node.name.getText().replaceAll(/["']/g, "");
    if (VISIBLE.test(name)) yield* literalsIn(node.initializer);
  } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && SHOWING.has(node.expression.text)) {
    yield* literalsIn(node.arguments[0]);
  }
}

/** Each text with letters that a file shows by a literal: its line, counted from 1, and the literal. */
export function findLiterals(file: string, text: string): { line: number; literal: string }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { line: number; literal: string }[] = [];
  const visit = (node: ts.Node): void => {
    for (const literal of literalsOf(node)) {
      const { line } = source.getLineAndCharacterOfPosition(literal.getStart());
      found.push({ line: line + 1, literal: literal.getText().trim().replaceAll(/\s+/g, " ") });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The literal texts in some folders, as `path:line literal`. Catalogues and tests are left out. */
function listLiterals(folders: readonly string[]): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    {
      cwd: root,
      exclude: ["**/node_modules/**", "**/dist/**", "**/messages/**", "**/*.test.{ts,tsx}", "**/{e2e,test}/**"],
    },
  )
    .toSorted()
    .flatMap((path) =>
      findLiterals(path, readFileSync(join(root, path), "utf8")).map(
        ({ line, literal }) => `${path}:${line} ${literal}`,
      ),
    );
}

/** What is wrong with a number of literals that only goes down; undefined when it is the committed one. */
export function compareCount(count: number, committed: number): string | undefined {
  if (count === committed) return undefined;
  return count < committed
    ? `The shop has ${count} literal texts: lower SHOP_LITERALS in scripts/lint-messages.ts from ${committed} to ${count}.`
    : `The shop has ${count} literal texts, ${count - committed} more than SHOP_LITERALS allows: put new ones into a catalogue, features/<noun>/messages.`;
}

type Message = string | ((...values: string[]) => string);
type Catalogue = Readonly<Record<string, Message>>;

/** What a message is, apart from its words: a text, or its number of values and which of them it shows. */
function describeMessage(message: Message | undefined): string {
  if (typeof message !== "function") return message === undefined ? "missing" : "a text";
  // Values that are dates too, and on different weekdays.
  const values = Array.from({ length: message.length }, (_, place) => `2031-01-0${place + 1}`);
  const text = message(...values);
  const shown = values.map((value, place) => text !== message(...values.with(place, value.replace("2031", "2033"))));
  return `values: ${shown.map((isShown) => (isShown ? "shown" : "left out")).join(", ")}`;
}

/** The messages that are not the same in two languages: missing in one, or with other values. */
export function compareCatalogues(first: Catalogue, second: Catalogue): string[] {
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].flatMap((key) => {
    const [one, two] = [describeMessage(first[key]), describeMessage(second[key])];
    return one === two ? [] : [`${key}: ${one}; ${two}`];
  });
}

/** The differences between the languages of every catalogue that has several, as `path message: English; Spanish`. */
async function lintCatalogues(): Promise<string[]> {
  const load = async (path: string) => (await import(pathToFileURL(join(root, path)).href)) as Catalogue;
  const catalogues = globSync("{apps,packages}/*/src/**/messages/en.ts", {
    cwd: root,
    exclude: ["**/node_modules/**", ...ENGLISH_ONLY],
  });
  const found = await Promise.all(
    catalogues.toSorted().map(async (english) => {
      const spanish = join(dirname(english), "es.ts");
      if (!existsSync(join(root, spanish))) return [`${spanish} is missing`];
      return compareCatalogues(await load(english), await load(spanish)).map((each) => `${spanish} ${each}`);
    }),
  );
  return found.flat();
}

if (import.meta.main) {
  const literals = listLiterals(CONVERTED);
  const shop = listLiterals(SHOP);
  if (process.argv.includes("--list")) for (const each of shop) console.log(each);
  const wrong = compareCount(shop.length, SHOP_LITERALS);
  const found = [
    ...literals.map((each) => `${each}: put it into a catalogue`),
    ...(wrong === undefined ? [] : [wrong]),
    ...(await lintCatalogues()),
  ];
  for (const each of found) console.log(each);
  console.log(`${found.length} problems of messages; ${shop.length} literal texts of the shop are left (--list).`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
