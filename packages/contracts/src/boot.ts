import type { Customer } from "./account.ts";
import type { Session } from "./auth.ts";
import type { Cart } from "./cart.ts";
import type { Collection } from "./collections.ts";
import type { BlogCategory, BlogPost, ContentPage, FaqEntry } from "./content.ts";
import type { FeedCard } from "./feed.ts";
import type { Hub } from "./hubs.ts";
import type { Product } from "./products.ts";

/** What of the market's settings the web app shows (docs/product.md §16). */
export interface MarketConfig {
  marketName: string;
  supportEmail: string;
  supportPhone: string;
  specialHubId: number;
  specialHubText: string;
  payments: "test" | "offline" | "stripe";
  /** Null: our own proof of work; else Turnstile with this site key. */
  turnstileSiteKey: string | null;
  /** Tiles to lay under the outlines of a market, with {z}, {x} and {y}; null: the outlines alone. */
  mapTiles: { url: string; credit: string } | null;
  /** Google Tag Manager's container; null: no script of others is loaded. */
  tagManagerId: string | null;
  /** What Stripe's script is started with; null with another provider. */
  stripeKey: string | null;
  /** Names the build; `/version.json` returns the current one. */
  build: string;
}

/**
 * The JSON the server writes into the first page, the same answers the calls would give: it seeds the query cache, so that the
 * first view needs no request. `<script type="application/json" id="boot">` has what is the same for all guests of a hub,
 * `id="own"` after it the rest: `now`, `session`, `profile` and `cart`.
 */
export interface Boot {
  config: MarketConfig;
  /** The server's time, ISO-8601: the app keeps the difference to its own clock. */
  now: string;
  /** Null: an ended session; `GET /auth` returns the reason. */
  session: Session | null;
  profile: Customer | null;
  hub: Hub | null;
  cart: Cart | null;
  collections: Collection[] | null;
  feed: FeedCard[] | null;
  /** Where the page is about one product: `GET /products/{key}` under the key of the URL. */
  product: { key: string; product: Product } | null;
  /** Where the page is made of words: what its calls would answer. */
  words: Words | null;
}

/** Pages of words, the FAQ, a page of posts of one category, or one post under the key of the URL. */
export interface Words {
  pages: ContentPage[];
  faq: FaqEntry[] | null;
  posts: { category: BlogCategory; page: number; perPage: number; totalRows: number; payload: BlogPost[] } | null;
  post: { key: string; post: BlogPost } | null;
}
