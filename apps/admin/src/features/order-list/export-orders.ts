import { ApiError, urlOf } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";

import * as t from "#messages/order-list";

import type { ListFilter } from "./api.ts";

/** The server's sentence of a refusal. */
async function refusalOf(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null);
  const sentence = (Array.isArray(body) ? body[0] : (body as { message?: unknown } | null)?.message) as unknown;
  return typeof sentence === "string" ? sentence : t.exportFailed;
}

/** Downloads exactly the orders that match, as CSV. Throws `ApiError`. */
export async function exportOrders({ q, hub, sort }: ListFilter): Promise<void> {
  const url = urlOf(calls.exportOrders.url, { querystring: { q, sort, hub } });
  const answer = await fetch(`/api/admin${url}`, { credentials: "same-origin" });
  if (!answer.ok) throw new ApiError(await refusalOf(answer), { status: answer.status });
  const file = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = file;
  link.download =
    /filename="?(?<name>[^";]+)/.exec(answer.headers.get("content-disposition") ?? "")?.groups?.["name"] ??
    "orders.csv";
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}
