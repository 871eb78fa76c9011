/**
 * How much longer than a market's own the limits of waiting are in tests: somebody else's work on the machine fails none.
 * What the limits do is tested with 1.
 */
export const PATIENCE = 30;
