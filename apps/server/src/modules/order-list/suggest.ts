import { ORDER_TOKENS } from "@marketday/domain/order-query";
import { hubsWith } from "@marketday/domain/staff";

import { AppError } from "../../lib/app-error.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { findSuggestions, type Suggestion } from "./suggestion-sql.ts";

/** Values for a token that is being typed. @throws AppError 400 `bad_filter` for a token that there is not */
export async function suggestValues(
  ctx: Context,
  { grants }: StaffActor,
  { token, text }: { token: string; text: string },
): Promise<Suggestion[]> {
  const known = ORDER_TOKENS.find((name) => name === token.toLowerCase());
  if (known === undefined)
    throw new AppError(400, `There is no filter “${token}”. There are ${ORDER_TOKENS.join(", ")}.`, {
      code: "bad_filter",
      field: "token",
    });
  const scope = { orders: hubsWith(grants, "orders.read"), people: hubsWith(grants, "people.read") };
  return findSuggestions(ctx.deps.db, known, text, scope, ctx.now);
}
