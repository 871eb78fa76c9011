import { z } from "zod";

import { Money } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** docs/product.md §7: one's own link, the credit there is, and how far each friend got. */
export const Referrals = z
  .object({
    link: z.string(),
    credit: Money,
    friends: z.array(z.object({ name: z.string(), state: z.enum(["registered", "ordered", "credited"]) })),
  })
  .meta({ id: "Referrals" });
export type Referrals = z.infer<typeof Referrals>;

export const getReferrals = endpoint({ method: "GET", url: "/referrals", schema: { response: { 200: Referrals } } });
