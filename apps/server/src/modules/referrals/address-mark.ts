import { createHmac } from "node:crypto";

import { normaliseStreet, type StreetAddress } from "@marketday/domain/referral";

/**
 * What is kept of a deleted customer's delivery address: equal for equal addresses, and of no use without the pepper, which is not
 * in the database. With another pepper, or another form of `normaliseStreet`, earlier marks match nothing (docs/product.md §17
 * "Referral").
 */
export const markAddress = (address: StreetAddress, pepper: string): string =>
  createHmac("sha256", pepper)
    .update(`address ${normaliseStreet(address)}`)
    .digest("base64url");
