import { OFFER_TOKENS } from "@marketday/domain/offer-query";
import { hubsWith } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { findSuggestions, type Suggestion } from "../order-list/suggestion-sql.ts";
import { findTags } from "./offers-sql.ts";

const MOST = 8;

/** Values for a token that is being typed. @throws AppError 400 `bad_filter` for a token that there is not */
export async function suggestOffers(
  ctx: Context,
  { grants }: StaffActor,
  { token, text }: { token: string; text: string },
): Promise<Suggestion[]> {
  const known = OFFER_TOKENS.find((name) => name === token.toLowerCase());
  if (known === undefined)
    throw new AppError(400, `There is no filter “${token}”. There are ${OFFER_TOKENS.join(", ")}.`, {
      code: "bad_filter",
      field: "token",
    });
  if (known === "tag")
    return (await findTags(ctx.deps.db, text.trim(), MOST)).map(({ value, uses }) => ({
      value,
      title: value,
      detail: uses === 1 ? "1 product" : `${uses.toLocaleString("en-US")} products`,
    }));
  if (known !== "hub" && known !== "vendor" && known !== "product") return [];
  return findSuggestions(ctx.deps.db, known, text, { orders: hubsWith(grants, "orders.read"), people: [] }, ctx.now);
}
