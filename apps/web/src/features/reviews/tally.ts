import { RATING_MAX } from "@marketday/domain/limits";

export interface TallyRow {
  /** 5 down to 1; half stars count up, less than one counts as one. */
  stars: number;
  count: number;
  /** Of all, percent. */
  share: number;
}

/** How the ratings spread over five bars. */
export function tally(ratings: number[]): TallyRow[] {
  const barOf = (rating: number) => Math.min(Math.max(Math.round(rating), 1), RATING_MAX);
  return [5, 4, 3, 2, 1].map((stars) => {
    const count = ratings.filter((rating) => barOf(rating) === stars).length;
    return { stars, count, share: ratings.length === 0 ? 0 : (count / ratings.length) * 100 };
  });
}
