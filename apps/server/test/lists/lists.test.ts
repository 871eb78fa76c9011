import { readdirSync } from "node:fs";

import type { Endpoint } from "@marketday/contracts/endpoint";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../app.ts";
import { counted } from "../sign-in.ts";
import { rows } from "./rows.ts";
import { makeWorld, type World } from "./world.ts";

const market = await buildTestApp();
const contracts = new URL("../../../../packages/contracts/src/", import.meta.url);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "url" in value && "method" in value && "schema" in value;

const isListOfThings = (schema: unknown): boolean => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return isListOfThings(schema.unwrap());
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodObject;
};
/** The answer is a list of things, or has one. */
const isList = (schema: unknown): boolean =>
  isListOfThings(schema) || (schema instanceof z.ZodObject && Object.values(schema.shape).some(isListOfThings));

const lists: string[] = [];
beforeAll(async () => {
  for (const file of readdirSync(contracts)) {
    if (file.endsWith(".test.ts") || file === "calls.ts") continue;
    const module = (await import(new URL(file, contracts).href)) as Record<string, unknown>;
    for (const { method, url, schema } of Object.values(module).filter(isEndpoint))
      if (method === "GET" && isList(schema.response[200])) lists.push(url);
  }
});

test("every list of the contracts has its row, and every row its list", () => {
  expect(lists).toContain("/vendors/:id/products");
  const missing = lists.filter((url) => !rows[url]);
  expect(missing, "These lists have no row in apps/server/test/lists/rows.ts: add one line each.").toEqual([]);
  const gone = Object.keys(rows).filter((url) => !lists.includes(url));
  expect(gone, "These rows of apps/server/test/lists/rows.ts have no list any more: remove them.").toEqual([]);
});

describe("18 rows take as many statements as one:", () => {
  interface Asked {
    size: number;
    statements: string[];
  }
  const few = new Map<string, Asked>();
  const many = new Map<string, Asked>();

  /** The first time anybody asks: nothing is kept from before. */
  async function ask(of: World, name: string): Promise<Asked> {
    const { at, rows: rowsOf, by = "browser" } = rows[name]!;
    const { answer, statements } = await counted(market, () => of[by].get(at(of)), { cold: true });
    expect([name, answer.status]).toEqual([name, 200]);
    const list = rowsOf?.(answer.body) ?? [answer.body, ...Object.values(answer.body)].find(Array.isArray) ?? [];
    return { size: list.length, statements };
  }

  beforeAll(async () => {
    // Some lists are everybody's: the first world is asked before there is a second one.
    const small = await makeWorld(market, 1);
    for (const name of Object.keys(rows)) few.set(name, await ask(small, name));
    const large = await makeWorld(market, 18);
    for (const name of Object.keys(rows)) many.set(name, await ask(large, name));
  });

  test.for(Object.entries(rows))("%s", ([name, { fewest = 1, most = 18 }]) => {
    expect(few.get(name)!.size).toBe(fewest);
    expect(many.get(name)!.size).toBeGreaterThanOrEqual(most);
    expect(many.get(name)!.statements).toEqual(few.get(name)!.statements);
  });
});
