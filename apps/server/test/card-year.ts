/** A year in which no card of a test has expired, on whatever date the tests run. */
export const CARD_YEAR = new Date().getFullYear() + 4;
