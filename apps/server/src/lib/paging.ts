import { clampRows } from "@marketday/domain/paging";
import type { FastifyReply, FastifyRequest } from "fastify";

import { AppError } from "./app-error.ts";

export interface Page {
  /** From 1. */
  page: number;
  /** Rows a page, 1 to 100. */
  rows: number;
  offset: number;
}

const header = (request: FastifyRequest, name: string): number | undefined => {
  const value = request.headers[name];
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (typeof value !== "string" || !Number.isInteger(number) || number < 1 || number > 1_000_000)
    throw new AppError(400, `${name} must be a whole number from 1.`, { code: "invalid", field: name });
  return number;
};

/** Whether the request has paging parameters; without them a few lists are returned complete. */
export const isPaged = (request: FastifyRequest, query: { page?: number; perPage?: number }): boolean =>
  query.page !== undefined ||
  query.perPage !== undefined ||
  Boolean(request.headers["x-current-page"] ?? request.headers["x-rows-per-page"]);

/** The requested page: the query wins over the headers, rows above 100 are clamped (docs/product.md §2 Paging). */
export function pageOf(request: FastifyRequest, query: { page?: number; perPage?: number }, defaultRows: number): Page {
  const page = query.page ?? header(request, "x-current-page") ?? 1;
  const rows = clampRows(query.perPage ?? header(request, "x-rows-per-page") ?? defaultRows);
  return { page, rows, offset: (page - 1) * rows };
}

/** Sets the headers that describe the returned page. */
export function setPageHeaders(reply: FastifyReply, page: Page, totalResults: number): void {
  void reply.headers({ "x-current-page": page.page, "x-rows-per-page": page.rows, "x-total-results": totalResults });
}
