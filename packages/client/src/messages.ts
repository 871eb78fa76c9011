/** What a person reads when a request or a part of the page fails (spec §8 error catalogue, verbatim). */
export const requestMessages = {
  network: "We couldn't reach the market. Check your connection and try again.",
  apiResponded: (status: number) => `API responded with ${status}`,
} as const;

/** The sentence for a failure: the server's own, which is the spec's where it has one. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : requestMessages.network);

/** Of code or a frame that has not arrived by its deadline: nothing is known to be wrong with the connection. */
export const TAKES_LONG = "This is taking long.";
