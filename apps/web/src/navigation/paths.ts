/** Every address of ours, built in one place. Slugs and ids go in as the wire has them. */
export const paths = {
  root: "/",
  shop: "/shop",
  more: "/more",
  notFound: "/404",
  collections: "/collections",
  collection: (slug: string | number) => `/collections/${slug}`,
  orderComplete: (id: number) => `/order-complete/${id}`,
  product: (slug: string) => `/product/${slug}`,
  productById: (id: string | number) => `/products/${id}`,
  vendors: "/vendors",
  vendor: (slug: string | number) => `/vendors/${slug}`,
  /** All a vendor sells, in pages. */
  vendorStore: (slug: string | number) => `/collections/vendor/${slug}`,
  bundles: "/bundles",
  bundle: (slug: string | number) => `/bundles/${slug}`,
  favorites: "/favorites",
  /** Results of a search, from page 1 on; `mode` defaults to Items. */
  search: (term: string, mode: "items" | "vendors" = "items", page = 1) => {
    const query = new URLSearchParams({ q: term });
    if (mode === "vendors") query.set("in", mode);
    if (page > 1) query.set("page", String(page));
    return `/search?${query}`;
  },
  subscription: "/subscription",
  nextBoxes: "/next-boxes",
  profile: "/profile",
  passwordReset: "/password-reset",
  giftCard: "/gift-card",
  wagonPass: "/wagon-pass",
  inbox: "/inbox",
  /** One conversation. */
  thread: (id: number) => `/inbox/${id}`,
  about: "/about",
  blog: "/blog",
  post: (slug: string | number) => `/blog/${slug}`,
  help: "/help",
  faq: "/faq",
  /** The form below the FAQ. */
  contact: "/faq#contact",
  contactUs: "/contact-us",
  support: "/support",
  jobs: "/jobs",
  driverApplication: "/driver-application",
  join: "/join",
  terms: "/terms",
  privacy: "/privacy",
  hubs: "/hubs",
  hub: (id: number) => `/hubs/${id}`,
} as const;
