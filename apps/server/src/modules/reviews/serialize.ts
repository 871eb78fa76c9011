import type { Review } from "@marketday/contracts/reviews";
import { raterName } from "@marketday/domain/review";

import type { ReviewRow } from "./store.ts";

/** Row → contract: of the rater no more than "Anna B."; who deleted the account is a "Former customer" (failures.md L2). */
export const serializeReview = (row: ReviewRow): Review => ({
  id: row.id,
  created: row.created_at.toISOString(),
  rater: row.is_former ? "Former customer" : raterName(row.first_name, row.last_name),
  rating: row.rating_halves / 2,
  comment: row.comment,
  verified: row.verified,
});
