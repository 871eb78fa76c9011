import { ApiError, urlOf } from "@marketday/client/transport.ts";

import * as t from "#messages/products";

import { type OfferFilter, queryOf } from "./api.ts";

/** Downloads exactly the offers that match, as CSV. Throws `ApiError`. */
export async function downloadOffers(filter: OfferFilter): Promise<void> {
  const answer = await fetch(`/api/admin${urlOf("/offers.csv", { querystring: queryOf(filter) })}`, {
    credentials: "same-origin",
  });
  if (!answer.ok) throw new ApiError(t.exportFailed, { status: answer.status });
  const file = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = file;
  link.download = "products.csv";
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}
