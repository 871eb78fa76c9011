import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

import { root } from "./lib/run.ts";

/** Whether a pattern is made of a template that ends in a generated part: it also matches longer names. */
const isOpenPattern = (node: ts.NewExpression): boolean => {
  const [pattern] = node.arguments ?? [];
  return pattern !== undefined && ts.isTemplateExpression(pattern) && pattern.templateSpans.at(-1)?.literal.text === "";
};

/** Whether `name` is explicit: a string without generated parts, or a pattern that says where a generated part ends. */
const isExplicit = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  (ts.isNewExpression(node) && !isOpenPattern(node));

const propertyOf = (object: ts.ObjectLiteralExpression, key: string): ts.ObjectLiteralElementLike | undefined =>
  object.properties.find(({ name }) => name?.getText() === key);

/**
 * Calls of `getByRole` with a generated name (a date, an amount, a title) that is not exact: Playwright then finds every name that
 * contains it, so "Tuesday, December 1" is also found in "Tuesday, December 15". Each with its line, counted from 1. With a
 * pattern in a variable `exact` has no effect, and is written for this rule.
 */
export function findLooseNames(file: string, text: string): { line: number; locator: string }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { line: number; locator: string }[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const [, options] = node.arguments;
    if (node.expression.name.text !== "getByRole" || !options || !ts.isObjectLiteralExpression(options)) return;
    const name = propertyOf(options, "name");
    if (!name || (ts.isPropertyAssignment(name) && isExplicit(name.initializer))) return;
    const exact = propertyOf(options, "exact");
    if (exact && ts.isPropertyAssignment(exact) && exact.initializer.kind === ts.SyntaxKind.TrueKeyword) return;
    const { line } = source.getLineAndCharacterOfPosition(options.getStart());
    found.push({ line: line + 1, locator: `getByRole(${node.arguments.map((each) => each.getText()).join(", ")})` });
  };
  visit(source);
  return found;
}

if (import.meta.main) {
  const found = globSync("apps/{web,admin}/e2e/**/*.ts", { cwd: root })
    .toSorted()
    .flatMap((path) =>
      findLooseNames(path, readFileSync(join(root, path), "utf8")).map(
        ({ line, locator }) => `${path}:${line} ${locator}: add exact: true, or end the pattern`,
      ),
    );
  for (const line of found) console.log(line);
  console.log(`${found.length} locators with a generated name that is not exact.`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
