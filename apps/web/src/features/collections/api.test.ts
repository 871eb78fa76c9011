import type { Collection } from "@marketday/contracts/collections";
import { expect, test } from "vitest";

import { findCollection } from "./api.ts";

const collection = (id: number, children: object[] = []) => ({ id, slug: `c${id}`, children }) as Collection;

test("collection: it and its children are found by slug or id, with the parent; nothing while they are unknown", () => {
  const all = [collection(1), collection(2, [collection(21), collection(22)])];
  const found = (key: string) => {
    const { collection: one, parent } = findCollection(all, key) ?? {};
    return [one?.id, parent?.id];
  };
  expect(["c1", "2", "c22", "21", "c9"].map(found)).toEqual([
    [1, 1],
    [2, 2],
    [22, 2],
    [21, 2],
    [undefined, undefined],
  ]);
  expect(findCollection(undefined, "c1")).toBeNull();
});
