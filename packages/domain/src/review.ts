/** Ratings and reviews (spec §5 Review, Rating stars; docs/product.md §5 Reviews). */

import { RATING_MAX, RATING_MIN, RATING_STEP, STARS_COUNT_ENOUGH, STARS_FEW_AVERAGE } from "./limits.ts";

/** Whether stars are shown: from 3 ratings on, or 1 to 2 with an average of at least 3.5. */
export function showStars(count: number, average: number): boolean {
  return count >= STARS_COUNT_ENOUGH || (count >= 1 && average >= STARS_FEW_AVERAGE);
}

/** A rating to the nearest half star, halves up, within 0 to 5. */
export function roundToHalf(rating: number): number {
  const rounded = Math.round(rating / RATING_STEP) * RATING_STEP;
  return Math.min(Math.max(rounded, RATING_MIN), RATING_MAX);
}

/** Whether a number may be given as a rating: 0 to 5 in half steps. */
export function isRating(rating: number): boolean {
  return rating >= RATING_MIN && rating <= RATING_MAX && Number.isInteger(rating / RATING_STEP);
}

/** How each of five stars is drawn for a rating. */
export function starParts(rating: number): ("full" | "half" | "empty")[] {
  const rounded = roundToHalf(rating);
  return [1, 2, 3, 4, 5].map((star) => (rounded >= star ? "full" : rounded >= star - RATING_STEP ? "half" : "empty"));
}

/** How a reviewer is named to others: "Anna B." (docs/product.md §5). */
export function raterName(firstName: string, lastName: string): string {
  const [initial] = lastName.trim();
  return initial === undefined ? firstName.trim() : `${firstName.trim()} ${initial.toUpperCase()}.`.trim();
}
