import { requestMessages } from "@marketday/client/messages.ts";

/**
 * Every text the spec spells out (§4, §5, §8), verbatim, misspellings included; the rest is in `screen-messages.ts`. A
 * helpful sentence of ours goes on a second line beside it, never into it.
 */
export const messages = {
  // §8 error catalogue
  ...requestMessages,
  notSupported: "Sorry, we do not currently support your location.",
  afterLogin:
    "There was error after logging in. Please try again later. If the issue persists please contact customer service.",
  hubSwitch: "Error changing delivery dates.",
  subscriptionPreferences:
    "There was an error updating your subscription preferences. If the error persists, please contact customer service.",
  addToCart: "There was an error adding this item to your cart. Please try again later.",
  addItemsToCart:
    "There was an error while adding items to your cart. If the issue persists, please contact Customer Service.",
  favoritesNeedAccount: "Favorites requires the creation of an account.",
  ordersFetch: "There was an error fetching orders. Please try again later.",
  productLoad: "There was an error loading this product. Please try again later.",
  productSubscribe: "Error subscribing to product",
  // "Similar messages" for bundles
  vendorSearch: "Sorry, we could not find any vendors at this time",
  sessionExpired: "Your session has expired. Please login to continue.",

  // §8 success messages
  linkCopied: "Link Copied",

  // §5 validation
  addressStreet: "Address is required",
  addressCity: "City is required",
  addressZip: "Must be 5 digits",
  searchShort: "Please provide at least 3 characters.",

  // §2, §4 screens
  cartEmpty: "Your cart is Empty",
  continueShopping: "Continue Shopping",
  changingMarket: (name: string) => `Changing market to ${name}...`,
  notFound: "Page died of dysentery",
  foundResults: (count: number) => `Found ${count} results`,
} as const;

/** Of a page that threw: ours, the spec has none. */
export const PAGE_FAILED = "Something went wrong on our side. Your cart is safe.";
