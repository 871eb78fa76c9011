import { expect, test, vi } from "vitest";

import type { Sql } from "../src/statement.ts";

// A separate module: how many texts are prepared is limited, and other files of the same worker prepare some.
vi.resetModules();
const { empty, join, raw, sql } = await import("../src/statement.ts");

const isId = (id: number) => sql`id = ${id}::int`;
const find = (condition: Sql, limit: number) => sql`select * from pot where ${condition} limit ${limit}`;

test("sql: values become parameters in their order, statements and raw texts become part of the text", () => {
  const both = find(
    sql`${isId(1)} or (${isId(2)}${empty}) and ${raw("label")} in (${join([sql`${"a"}`, sql`${"b"}`])})`,
    9,
  );
  expect(both.text).toBe("select * from pot where id = $1::int or (id = $2::int) and label in ($3,$4) limit $5");
  expect(both.values).toEqual([1, 2, "a", "b", 9]);
  expect(join([isId(1), isId(2)], " and ")).toMatchObject({ text: "id = $1::int and id = $2::int", values: [1, 2] });
});

test("sql: the same template with other values has the same text and is prepared once; with another part it is another statement", () => {
  const [first, second] = [find(isId(1), 2), find(isId(3), 4)];
  expect(second.text).toBe(first.text);
  expect(second.statementName).toBe(first.statementName);
  expect(second.values).toEqual([3, 4]);
  // A value where the other has a statement, and another statement at the same place.
  const others = [find(empty, 1), find(sql`label = ${"x"}`, 1), find("text" as never, 1), find(raw("true"), 1)];
  expect(others.map(({ text }) => text)).toEqual([
    "select * from pot where  limit $1",
    "select * from pot where label = $1 limit $2",
    "select * from pot where $1 limit $2",
    "select * from pot where true limit $1",
  ]);
  expect(new Set([first, ...others].map(({ statementName }) => statementName)).size).toBe(5);
  expect(find(isId(5), 6).text).toBe(first.text);
});

test("sql: raw texts that differ at each call never share a text", () => {
  const texts = Array.from({ length: 1000 }, (_, n) => sql`select ${n} from ${raw(`t${n}`)}`.text);
  expect(texts).toEqual(texts.map((_, n) => `select $1 from t${n}`));
});
