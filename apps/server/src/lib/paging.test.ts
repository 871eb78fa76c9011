import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";

import { isPaged, pageOf } from "./paging.ts";

const request = (headers: Record<string, string | string[]> = {}) => ({ headers }) as unknown as FastifyRequest;

test("paging: the query wins over the headers, which win over the list's own size", () => {
  const headers = { "x-current-page": "3", "x-rows-per-page": "7" };
  expect(pageOf(request(), {}, 5)).toEqual({ page: 1, rows: 5, offset: 0 });
  expect(pageOf(request(headers), {}, 5)).toEqual({ page: 3, rows: 7, offset: 14 });
  expect(pageOf(request(headers), { page: 2, perPage: 10 }, 5)).toEqual({ page: 2, rows: 10, offset: 10 });
  expect(pageOf(request({ "x-rows-per-page": "" }), {}, 5)).toEqual({ page: 1, rows: 5, offset: 0 });
});

test("paging: at most a hundred rows, and a header is a whole number from 1 to a million", () => {
  expect([100, 101].map((perPage) => pageOf(request(), { perPage }, 5).rows)).toEqual([100, 100]);
  expect(pageOf(request({ "x-current-page": "1000000" }), {}, 5).page).toBe(1_000_000);
  for (const wrong of ["0", "-1", "1.5", "x", "1000001", ["1", "2"]])
    for (const name of ["x-current-page", "x-rows-per-page"])
      expect(() => pageOf(request({ [name]: wrong }), {}, 5), `${name}: ${String(wrong)}`).toThrow(
        `${name} must be a whole number from 1.`,
      );
});

test("paging: a list is paged by either parameter, in the query or in the headers", () => {
  expect(isPaged(request(), {})).toBe(false);
  expect(isPaged(request({ "x-current-page": "" }), {})).toBe(false);
  for (const query of [{ page: 1 }, { perPage: 5 }]) expect(isPaged(request(), query)).toBe(true);
  for (const name of ["x-current-page", "x-rows-per-page"]) expect(isPaged(request({ [name]: "1" }), {})).toBe(true);
});
