import type { World } from "./world.ts";

/** How a list is asked for in a world, and what of the answer are its rows. */
export interface Row {
  /** The address below /api. */
  at: (of: World) => string;
  /** What grows; without it the answer itself, or its only list. */
  rows?: (body: any) => unknown[];
  /** As many as the list ever gives, where that is less than 18. */
  most?: number;
  /** As few as the list can have, where that is more than one: it says several things about the same. */
  fewest?: number;
  /** Who asks, where it is not the customer who has everything. */
  by?: "buyer";
}

const plain = (url: string): Row => ({ at: () => url });

/**
 * Every list there is (failures.md and the budgets of the readers: 18 rows take as many statements as one). A new
 * endpoint that answers with a list is a new line, named as in `packages/contracts`.
 */
export const rows: Record<string, Row> = {
  // The catalogue
  "/products/:id": { at: ({ product }) => `/products/${product.id}`, rows: ({ variants }) => variants },
  "/products/:id/reviews": { at: ({ product }) => `/products/${product.id}/reviews` },
  "/products/:id/questions": { at: ({ product }) => `/products/${product.id}/questions` },
  "/products/:id/suggestions": { at: ({ gone }) => `/products/${gone.id}/suggestions`, most: 8 },
  "/collections": plain("/collections"),
  "/collections/:id/products": { at: ({ collection }) => `/collections/${collection.id}/products` },
  "/bundles": plain("/bundles"),
  "/bundles/:id": { at: ({ bundle }) => `/bundles/${bundle.id}`, rows: ({ products }) => products },
  "/vendors": plain("/vendors"),
  "/vendors/:id/products": { at: ({ vendor }) => `/vendors/${vendor.id}/products` },
  "/vendors/:id/posts": { at: ({ vendor }) => `/vendors/${vendor.id}/posts?perPage=18` },
  "/feed": { ...plain("/feed"), fewest: 3 },
  "/banners/": plain("/banners/"),
  "/search/new/auto-complete/:q": { ...plain("/search/new/auto-complete/pumpkin"), most: 8 },
  "/search/new/query/:q": plain("/search/new/query/pumpkin"),
  "/search/vendors/:q": plain("/search/vendors/meadow"),
  "/vendors/search/:q": plain("/vendors/search/meadow"),
  "/hubs": plain("/hubs"),
  "/hubs/:id/details": { at: ({ hub }) => `/hubs/${hub.id}/details`, rows: ({ pickupPoints }) => pickupPoints },
  "/hubs/:id/map": { at: ({ hub }) => `/hubs/${hub.id}/map`, rows: ({ zips }) => zips },

  // What is a customer's own
  "/favorites/products": plain("/favorites/products"),
  "/favorites/vendors": plain("/favorites/vendors"),
  "/favorites/all-vendors": plain("/favorites/all-vendors"),
  "/favorites/most-ordered": plain("/favorites/most-ordered?perPage=18"),
  "/bundles/subscribed": plain("/bundles/subscribed"),
  "/cart": { ...plain("/cart"), rows: ({ items }) => items },
  "/orders": plain("/orders"),
  "/orders/:id": { at: ({ order }) => `/orders/${order.id}`, rows: ({ items }) => items },
  "/orders/:id/survey/": { at: ({ order }) => `/orders/${order.id}/survey/` },
  "/subscriptions": plain("/subscriptions"),
  "/subscriptions/recommendations": { ...plain("/subscriptions/recommendations?perPage=18"), by: "buyer" },
  "/subscriptions/next-boxes": { ...plain("/subscriptions/next-boxes"), rows: ([, second]) => second.lines, fewest: 2 },
  "/payment-methods": plain("/payment-methods"),
  "/inbox": plain("/inbox?perPage=18"),
  "/inbox/:id": { at: ({ thread }) => `/inbox/${thread.id}` },
  "/referrals": plain("/referrals"),
  "/account/sessions": plain("/account/sessions"),
  "/account/profile": { ...plain("/account/profile"), rows: ({ hubs }) => hubs },

  // Words
  "/faq": plain("/faq"),
  "/blog-posts": plain("/blog-posts?category=blog&perPage=18"),
};
