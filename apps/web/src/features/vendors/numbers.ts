/** "1,284" */
export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** An average score to one decimal, a half going up: "4.6", "0.0" without any (spec §2.4 Vendor detail). */
export const formatScore = (score: number): string => (Math.round(score * 10 + Number.EPSILON * 100) / 10).toFixed(1);

/** "12 products", "1 follower". */
export const counted = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;
