/** The addresses of the admin app. A market is a filter in the address: `?hub=carmel`. */
export const paths = {
  today: "/admin",
  /** What a delivery day needs: its sheets and vendors. */
  day: (hub: string, date: string) => `/admin/days/${hub}/${date}`,
  /** Its boxes; with an order, its panel beside them. */
  boxes: (hub: string, date: string, orderId?: number | string) =>
    `/admin/days/${hub}/${date}/boxes${orderId === undefined ? "" : `/${orderId}`}`,
  shorts: (hub: string, date: string, variantId?: number | string) =>
    `/admin/days/${hub}/${date}/shorts${variantId === undefined ? "" : `/${variantId}`}`,
  /** Money at the door. */
  door: (hub: string, date: string) => `/admin/days/${hub}/${date}/door`,
  /** Every order. */
  orders: "/admin/orders",
  /** An order by its number, beside the list of every order. */
  order: (id: number | string) => `/admin/orders/${id}`,
  /** The grid of offers. */
  products: "/admin/products",
  customers: "/admin/customers",
  customer: (id: number | string) => `/admin/customers/${id}`,
  inbox: "/admin/inbox",
  /** A message, review or report in the inbox. */
  inboxItem: (kind: string, id: number | string) => `/admin/inbox/${kind}/${id}`,
  /** What vendors are owed; of a vendor, the statement beside it. `to`: up to this delivery day. */
  payouts: "/admin/payouts",
  payoutsTo: (to: string) => `/admin/payouts?to=${to}`,
  dueStatement: (vendorId: number | string) => `/admin/payouts/vendors/${vendorId}`,
  /** The payouts that were booked; one is open beside them. */
  paid: "/admin/payouts/paid",
  payout: (id: number | string) => `/admin/payouts/paid/${id}`,
  audit: "/admin/audit",
  staff: "/admin/staff",
  /** The machine: its health. */
  settings: "/admin/settings",
  settingsView: (view: string) => `/admin/settings/${view}`,
  /** One's own passkeys and sessions. */
  security: "/admin/security",
  invite: (token: string) => `/admin/invite/${token}`,
};

/**
 * The list on whose screen an address is: an order, a shortage, a person, a message, a payout or an entry is open beside its list. Null: a
 * screen without panels.
 */
export const listOf = (pathname: string): string | null =>
  /^\/admin\/(?:days\/[^/]+\/[^/]+\/(?:boxes|shorts)|orders|customers|inbox|payouts(?:\/paid)?|audit)(?=\/|$)/.exec(
    pathname,
  )?.[0] ?? null;
