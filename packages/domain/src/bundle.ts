/** The sentence below the heading of the bundles, in the server's view and in the app. */
export const BUNDLES_INTRO =
  "A meal, a week or a season, ready to order. Everything in a bundle comes from the vendors of your market.";
