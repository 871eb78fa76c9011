import type { OfferList } from "@marketday/contracts/admin/offers";
import { OFFERS_MAX } from "@marketday/domain/offer-fields";
import { parseOfferQuery } from "@marketday/domain/offer-query";
import { hubsWith } from "@marketday/domain/staff";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { findOffers, type OfferListFilter } from "./offers-sql.ts";
import { toGridOffer } from "./serialize.ts";

/** What is requested: a filter as it was typed, and slug or id of a hub. */
export interface OfferRequest {
  q: string;
  hub?: string | undefined;
}

/**
 * A filter as a person may use it.
 * @throws AppError 400 `bad_filter` that names every part that is not understood
 */
export function filterOf({ grants }: StaffActor, { q, hub }: OfferRequest): OfferListFilter {
  const { tokens, words, problems } = parseOfferQuery(q);
  if (problems.length > 0)
    throw new AppError(400, problems.map(({ message }) => message).join("\n"), {
      code: "bad_filter",
      field: "q",
      problems,
    });
  return { tokens, words, hubs: { scope: hubsWith(grants, "orders.read"), hub: hub ?? null } };
}

/** @throws AppError 404 for a requested hub that there is not, or that the person may not read */
export function checkHub({ hub }: OfferRequest, found: { hubs: number }): void {
  if (hub !== undefined && found.hubs === 0) throw notFound();
}

/**
 * The offers that match, at most 5,000 of them, in one statement.
 * @throws AppError 400 for a filter that is not understood, 404 for a hub that the person may not read
 */
export async function readOffers(ctx: Context, actor: StaffActor, request: OfferRequest): Promise<OfferList> {
  const found = await findOffers(ctx.deps.db, filterOf(actor, request), OFFERS_MAX, ctx.now);
  checkHub(request, found);
  return {
    offers: found.rows.map((row) => toGridOffer(row, actor.grants)),
    count: found.count,
    all: found.all,
  };
}
