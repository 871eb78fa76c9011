import type { World } from "./world.ts";

/** The URL of a list in a world, and the rows of its response. */
export interface Row {
  /** The path below /api. */
  at: (of: World) => string;
  /** The rows; by default the response, or its only list. */
  rows?: (body: any) => unknown[];
  /** Maximum number of rows of a page, when less than 100. */
  max?: number;
  /** Minimum number of rows, when more than one. */
  min?: number;
  /** The requesting customer, when not the one who owns everything. */
  by?: "buyer";
}

const plain = (url: string): Row => ({ at: () => url });

/**
 * Every list of the API (ten and a hundred rows need as many statements as one). A new endpoint that returns a list is a new line, named as in
 * `packages/contracts`.
 */
export const rows: Record<string, Row> = {
  // The catalogue
  "/products/:id": { at: ({ product }) => `/products/${product.id}`, rows: ({ variants }) => variants },
  "/products/:id/reviews": { at: ({ product }) => `/products/${product.id}/reviews?perPage=100` },
  "/products/:id/questions": { at: ({ product }) => `/products/${product.id}/questions?perPage=100` },
  "/products/:id/suggestions": { at: ({ unlisted }) => `/products/${unlisted.id}/suggestions`, max: 8 },
  "/collections": plain("/collections"),
  "/collections/:id/products": { at: ({ collection }) => `/collections/${collection.id}/products?perPage=100` },
  "/bundles": plain("/bundles"),
  "/bundles/:id": { at: ({ bundle }) => `/bundles/${bundle.id}`, rows: ({ products }) => products },
  "/vendors": plain("/vendors"),
  "/vendors/:id/products": { at: ({ vendor }) => `/vendors/${vendor.id}/products?perPage=100` },
  "/vendors/:id/posts": { at: ({ vendor }) => `/vendors/${vendor.id}/posts?perPage=100` },
  "/feed": { ...plain("/feed"), min: 3, max: 50 },
  "/banners/": plain("/banners/"),
  "/search/new/auto-complete/:q": { ...plain("/search/new/auto-complete/pumpkin"), max: 8 },
  "/search/new/query/:q": plain("/search/new/query/pumpkin?perPage=100"),
  "/search/vendors/:q": { ...plain("/search/vendors/meadow"), max: 25 },
  "/vendors/search/:q": { ...plain("/vendors/search/meadow"), max: 25 },
  "/hubs": plain("/hubs"),
  "/hubs/:id/details": { at: ({ hub }) => `/hubs/${hub.id}/details`, rows: ({ pickupPoints }) => pickupPoints },
  "/hubs/:id/map": { at: ({ hub }) => `/hubs/${hub.id}/map`, rows: ({ zips }) => zips, max: 23 },

  // Data of a customer
  "/favorites/products": plain("/favorites/products?perPage=100"),
  "/favorites/vendors": plain("/favorites/vendors?perPage=100"),
  "/favorites/all-vendors": plain("/favorites/all-vendors?perPage=100"),
  "/favorites/most-ordered": plain("/favorites/most-ordered?perPage=100"),
  "/favorites/usuals": { ...plain("/favorites/usuals"), max: 4 },
  "/bundles/subscribed": plain("/bundles/subscribed"),
  "/cart": { ...plain("/cart"), rows: ({ items }) => items },
  "/orders": plain("/orders?perPage=100"),
  "/orders/:id": { at: ({ order }) => `/orders/${order.id}`, rows: ({ items }) => items },
  "/orders/:id/survey/": { at: ({ order }) => `/orders/${order.id}/survey/` },
  "/subscriptions": plain("/subscriptions"),
  "/subscriptions/recommendations": { ...plain("/subscriptions/recommendations?perPage=100"), by: "buyer" },
  "/subscriptions/next-boxes": { ...plain("/subscriptions/next-boxes"), rows: ([, second]) => second.lines, min: 2 },
  "/payment-methods": plain("/payment-methods"),
  "/inbox": plain("/inbox?perPage=100"),
  "/inbox/:id": { at: ({ thread }) => `/inbox/${thread.id}` },
  "/gift-cards": plain("/gift-cards"),
  "/referrals": plain("/referrals"),
  "/account/sessions": { ...plain("/account/sessions"), max: 20 },
  "/account/profile": { ...plain("/account/profile"), rows: ({ hubs }) => hubs },

  // Content
  "/faq": plain("/faq"),
  "/blog-posts": plain("/blog-posts?category=blog&perPage=100"),
};
