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

const isObjectList = (schema: unknown): boolean => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return isObjectList(schema.unwrap());
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodObject;
};
/** The response is a list of objects, or contains one. */
const isList = (schema: unknown): boolean =>
  isObjectList(schema) || (schema instanceof z.ZodObject && Object.values(schema.shape).some(isObjectList));

const lists: string[] = [];
beforeAll(async () => {
  for (const file of readdirSync(contracts)) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts") || file === "calls.ts") continue;
    const module = (await import(new URL(file, contracts).href)) as Record<string, unknown>;
    for (const { method, url, schema } of Object.values(module).filter(isEndpoint))
      if (method === "GET" && isList(schema.response[200])) lists.push(url);
  }
});

test("lists: every list of the contracts has a row, and every row a list", () => {
  expect(lists).toContain("/vendors/:id/products");
  const missing = lists.filter((url) => !rows[url]);
  expect(missing, "These lists have no row in apps/server/test/lists/rows.ts: add one line each.").toEqual([]);
  const obsolete = Object.keys(rows).filter((url) => !lists.includes(url));
  expect(obsolete, "These rows of apps/server/test/lists/rows.ts have no list: remove them.").toEqual([]);
});

describe("lists: ten and a hundred rows need as many statements as one", () => {
  interface Measurement {
    size: number;
    statements: string[];
  }
  const SIZES = [1, 10, 100];
  const measured = new Map<number, Map<string, Measurement>>();

  /** Requests a list without any cache. */
  async function measure(of: World, name: string): Promise<Measurement> {
    const { at, rows: rowsOf, by = "browser" } = rows[name]!;
    const { answer: response, statements } = await counted(market, () => of[by].get(at(of)), { cold: true });
    expect([name, response.status]).toEqual([name, 200]);
    const list = rowsOf?.(response.body) ?? [response.body, ...Object.values(response.body)].find(Array.isArray) ?? [];
    // Statements of one request run side by side, so their order is not compared. Prisma's client writes a list into the text.
    const texts = statements.map((text) => text.replaceAll(/\$\d+(?:,\$\d+)*/g, "?").replaceAll("IN (?)", "= ?"));
    return { size: list.length, statements: texts.toSorted() };
  }

  beforeAll(async () => {
    // Public lists contain all worlds, so each world is measured before the next, larger one is created.
    for (const size of SIZES) {
      const world = await makeWorld(market, size);
      const of = new Map<string, Measurement>();
      for (const name of Object.keys(rows)) of.set(name, await measure(world, name));
      measured.set(size, of);
    }
  });

  test.for(Object.entries(rows))("%s", ([name, { min = 1, max = 100 }]) => {
    const [one, ten, hundred] = SIZES.map((size) => measured.get(size)!.get(name)!);
    expect(one!.size).toBe(min);
    expect(ten!.size).toBeGreaterThanOrEqual(Math.min(10, max));
    expect(hundred!.size).toBeGreaterThanOrEqual(max);
    expect([ten!.statements, hundred!.statements]).toEqual([one!.statements, one!.statements]);
  });
});
