import { CHOICE, GOOD_CARD, PASSWORD } from "../factories.ts";
import type { Fixtures, Visitor } from "./fixtures.ts";

/** A request: `:name` parts of the URL, a query, a body. */
interface RowRequest {
  params?: Record<string, string | number>;
  query?: string;
  body?: unknown;
}

/** The status of each visitor; 401 has the code `login_required` unless another code is given. */
export type Row = Record<Visitor, number | [status: number, code: string]> & { request: (of: Fixtures) => RowRequest };

type CreateRequest = (of: Fixtures) => RowRequest;
const plain: CreateRequest = () => ({});

/** The same status for every visitor. */
const everyone = (request: CreateRequest = plain, status: Row["owner"] = 200): Row => ({
  request,
  anonymous: status,
  guest: status,
  vendor: status,
  other: status,
  owner: status,
});
/** Any session: guests and customers, for their own data. */
const shoppers = (request: CreateRequest = plain, status: Row["owner"] = 200): Row => ({
  ...everyone(request, status),
  anonymous: 401,
  vendor: 401,
});
/** Any customer, for their own data. */
const customers = (request: CreateRequest = plain, status: Row["owner"] = 200): Row => ({
  ...shoppers(request, status),
  guest: 401,
});
/** A row of customer A: 404 for customer B, as for an unknown id. */
const ownerOnly = (request: CreateRequest, status: Row["owner"] = 200): Row => ({
  ...customers(request, status),
  other: 404,
});

const product: CreateRequest = ({ eggs }) => ({ params: { id: eggs.id } });
const vendor: CreateRequest = ({ vendorId }) => ({ params: { id: vendorId } });
const bundle: CreateRequest = ({ bundle }) => ({ params: { id: bundle.id } });
const order: CreateRequest = ({ orderId }) => ({ params: { id: orderId } });
const hub: CreateRequest = ({ farHub }) => ({ params: { id: farHub.id } });
const line = ({ eggs }: Fixtures) => ({ productId: eggs.id, variantId: eggs.variant.id });

/**
 * Every route and its status for each visitor (failures.md G1). A new route is a new line: choose `everyone`, `shoppers`,
 * `customers` or `ownerOnly`, and a request with which the owner succeeds.
 */
export const rows: Record<string, Row> = {
  // Sessions and accounts
  "GET /api/auth": everyone(),
  "POST /api/auth/guest": everyone(() => ({ query: "zipCode=46032" })),
  "POST /api/auth/login": everyone(
    ({ freshEmail }) => ({ body: { username: freshEmail(), password: "wrong" } }),
    [401, "invalid_credentials"],
  ),
  "POST /api/auth/register": everyone(({ freshEmail }) => ({
    body: { email: freshEmail(), password: "wheelbarrow", zipCode: "46032", firstName: "Ada", lastName: "Brown" },
  })),
  "PUT /api/auth/logout": everyone(),
  "GET /api/geo/home-delivery": everyone(() => ({ query: "zipCode=46032" })),
  "GET /api/geo/zip": everyone(() => ({ query: "lat=39.97&lng=-86.13" })),
  "GET /api/geo/zip/:zipCode": everyone(() => ({ params: { zipCode: "46032" } })),
  "POST /api/auth/forgot": everyone(({ freshEmail }) => ({ body: { email: freshEmail() } })),
  // The token of a vendor's link is not a reset token.
  "POST /api/auth/reset/:token": everyone(({ token }) => ({ params: { token }, body: { password: "wheelbarrow" } })),
  "POST /api/auth/reset": everyone(plain, 400),
  "POST /api/auth/update": customers(() => ({ body: { oldPassword: PASSWORD, newPassword: "blue-wheelbarrow" } })),
  "GET /api/auth/bridge": shoppers(),
  "GET /api/account/profile": shoppers(),
  "PUT /api/account/profile": customers(() => ({ body: { firstName: "Ada", isVegan: true } })),
  "POST /api/account/export": customers(() => ({ body: { password: PASSWORD } })),
  "DELETE /api/account": { ...customers(() => ({ body: { password: PASSWORD } })), owner: [409, "order_open"] },
  "GET /api/account/sessions": customers(),
  "DELETE /api/account/sessions/:id": ownerOnly(({ sessionId }) => ({ params: { id: sessionId } })),
  "DELETE /api/account/sessions": customers(),

  // The market
  "GET /api/hubs": everyone(),
  "GET /api/hubs/:id/details": everyone(hub),
  "GET /api/hubs/:id/map": everyone(hub),
  "PUT /api/hubs/:id/switch": shoppers(hub),
  "POST /api/hubs/:id/switch": shoppers(hub),
  "GET /api/feed": everyone(),
  "GET /api/banners/": everyone(),
  "GET /api/collections": everyone(),
  "GET /api/collections/:id/products": everyone(({ collection }) => ({ params: { id: collection.id } })),
  "GET /api/content/:slug": everyone(() => ({ params: { slug: "terms" } })),
  "GET /api/faq": everyone(),
  "GET /api/blog-posts": everyone(() => ({ query: "category=blog" })),
  "GET /api/blog-posts/:id": everyone(({ post }) => ({ params: { id: post.id } })),
  "GET /api/search/new/auto-complete/:q": everyone(() => ({ params: { q: "eggs" } })),
  "GET /api/search/new/query/:q": everyone(() => ({ params: { q: "eggs" } })),
  "GET /api/search/vendors/:q": everyone(() => ({ params: { q: "vendor" } })),
  "GET /api/vendors/search/:q": everyone(() => ({ params: { q: "vendor" } })),

  // Products
  "GET /api/products/:id": everyone(product),
  "GET /api/products/:id/suggestions": everyone(product),
  "GET /api/products/:id/reviews": everyone(product),
  "POST /api/products/:id/reviews": customers((of) => ({ ...product(of), body: { comment: "Good.", rating: 5 } })),
  "GET /api/products/:id/questions": everyone(product),
  "POST /api/products/:id/questions": customers((of) => ({ ...product(of), body: { question: "Fresh?" } })),
  "POST /api/products/:id/favorite": customers(product),
  "DELETE /api/products/:id/favorite": customers(product),
  "GET /api/favorites/products": customers(),
  "GET /api/favorites/vendors": customers(),
  "GET /api/favorites/all-vendors": customers(),
  "GET /api/favorites/most-ordered": customers(),
  "GET /api/favorites/usuals": everyone(),

  // Vendors and bundles
  "GET /api/vendors": everyone(),
  "GET /api/vendors/:id": everyone(vendor),
  "GET /api/vendors/:id/products": everyone(vendor),
  "GET /api/vendors/:id/posts": everyone(vendor),
  "POST /api/vendors/:id/favorite": customers(vendor),
  "DELETE /api/vendors/:id/favorite": customers(vendor),
  "POST /api/vendors/:id/endorse": customers((of) => ({ ...vendor(of), body: { score: 5, relationship: 1 } })),
  "GET /api/bundles": everyone(),
  "GET /api/bundles/subscribed": customers(),
  "GET /api/bundles/:id": everyone(bundle),
  "POST /api/bundles/:id": customers((of) => ({ ...bundle(of), body: { subscription_interval: 2 } })),
  "DELETE /api/bundles/:id": customers(bundle),

  // Cart, checkout, orders
  "GET /api/cart": everyone(),
  "PUT /api/cart": shoppers((of) => ({ body: [{ ...line(of), quantity: 2 }] })),
  "PUT /api/cart/discount": shoppers(() => ({ body: { code: null } })),
  "POST /api/checkout/quote": shoppers(() => ({ body: CHOICE })),
  "POST /api/checkout": customers(() => ({ body: { ...CHOICE, expectedTotal: 1 } }), [409, "cart_empty"]),
  "POST /api/checkout/:attemptId/complete": customers(
    ({ unknownUuid }) => ({ params: { attemptId: unknownUuid }, body: {} }),
    404,
  ),
  "POST /api/checkout/resume": customers(() => ({ body: { key: "unknown" } }), 404),
  "GET /api/orders": customers(),
  "GET /api/orders/:id": ownerOnly(order),
  "POST /api/orders/edit-order": ownerOnly(({ orderId, variantId }) => ({
    body: { order: { id: orderId, items: [{ quantity: 1, product: { variant: { id: variantId } } }] } },
  })),
  "GET /api/orders/:id/survey/": ownerOnly(order),
  "POST /api/orders/:id/survey/shown": ownerOnly((of) => ({
    ...order(of),
    body: { type: "MarketingSource", questionId: "marketingsource" },
  })),
  "POST /api/orders/:id/survey": ownerOnly((of) => ({
    ...order(of),
    body: { type: "MarketingSource", response: "Online search", questionId: "marketingsource" },
  })),

  // Subscriptions
  "GET /api/subscriptions": customers(),
  "POST /api/subscriptions": customers((of) => ({ body: { ...line(of), qty: 2, subscription_interval: 1 } })),
  "DELETE /api/subscriptions": customers((of) => ({ body: line(of) })),
  "POST /api/subscriptions/skip": customers(() => ({ body: { deliveryDate: "2026-11-26" } })),
  "POST /api/subscriptions/pause": ownerOnly(({ variantId }) => ({ body: { variantId, until: "2026-12-24" } })),
  "GET /api/subscriptions/status": customers(),
  "PUT /api/subscriptions/status": customers(() => ({ body: { enabled: true, status: 1 } })),
  "GET /api/subscriptions/tip": customers(),
  "PUT /api/subscriptions/tip": customers(() => ({ body: { percentage: 10 } })),
  "GET /api/subscriptions/recommendations": customers(),
  "GET /api/subscriptions/next-boxes": customers(),

  // Money
  "GET /api/payment-methods": customers(),
  "POST /api/payment-methods": customers(() => ({ body: { card: GOOD_CARD } })),
  "POST /api/payment-methods/complete": customers(() => ({ body: { setupId: "seti_unknown" } }), 404),
  "POST /api/purchases/:paymentId/complete": customers(
    ({ unknownUuid }) => ({ params: { paymentId: unknownUuid }, body: {} }),
    404,
  ),
  "POST /api/purchases/resume": customers(() => ({ body: { key: "unknown" } }), 404),
  "POST /api/webhooks/stripe": everyone(() => ({ body: {} }), 404),
  "DELETE /api/payment-methods/:id": ownerOnly(({ secondMethodId }) => ({ params: { id: secondMethodId } })),
  "PUT /api/payment-methods/:id/default": ownerOnly(({ secondMethodId }) => ({ params: { id: secondMethodId } })),
  "POST /api/gift-cards": customers(
    () => ({
      body: { amount: 10, recipientEmail: "friend@example.com", deliverOn: "2026-11-25", card: GOOD_CARD },
    }),
    201,
  ),
  "GET /api/gift-cards": customers(),
  "POST /api/gift-cards/:id/resend": ownerOnly(({ giftCardId }) => ({
    params: { id: giftCardId },
    body: { recipientEmail: "friend@example.com", version: 1 },
  })),
  "POST /api/gift-cards/redeem": customers(() => ({ body: { code: "no such code" } }), 422),
  "GET /api/wagon-pass": customers(),
  "POST /api/wagon-pass": customers(() => ({ body: { plan: "monthly", card: GOOD_CARD } })),
  "DELETE /api/wagon-pass": customers(),
  "GET /api/referrals": customers(),

  // Messages
  "GET /api/problems/challenge": everyone(),
  "POST /api/problems/contact-us": everyone(
    () => ({
      body: {
        firstName: "Ada",
        lastName: "Brown",
        emailAddress: "ada@example.com",
        zipCode: "46032",
        message: "Hello",
        token: "none",
      },
    }),
    [400, "bot_check"],
  ),
  "GET /api/inbox": customers(),
  "GET /api/inbox/:id": ownerOnly(({ threadId }) => ({ params: { id: threadId } })),
  "POST /api/inbox/:id/reply": ownerOnly(({ threadId }) => ({
    params: { id: threadId },
    body: { reply: "Thank you" },
  })),
  "POST /api/inbox/:id/read": ownerOnly(({ threadId }) => ({ params: { id: threadId } })),
  "POST /api/vendors/:id/messages": customers(({ vendorId }) => ({
    params: { id: vendorId },
    body: { message: "Hello" },
  })),
  // Authorized only by a signed link (modules/answers).
  "GET /answer/:token": everyone(({ unknownUuid }) => ({ params: { token: `${unknownUuid}.forged` } }), 404),
  "POST /answer/:token": everyone(
    ({ unknownUuid }) => ({ params: { token: `${unknownUuid}.forged` }, body: { answer: "It does." } }),
    404,
  ),
  // Authorized only by a signed link (modules/harvest).
  "GET /farm/:token": everyone(({ unknownUuid }) => ({ params: { token: `${unknownUuid}.forged` } }), 404),
  "POST /farm/:token": everyone(({ unknownUuid }) => ({ params: { token: `${unknownUuid}.forged` }, body: {} }), 404),
  "POST /api/problems/orders/:id": customers(
    ({ orderId }) => ({ params: { id: orderId }, body: {} }),
    [415, "unsupported_media_type"],
  ),
  "POST /api/leads": everyone(({ freshEmail }) => ({ body: { kind: "email", email: freshEmail() } })),

  // Pages: the same for everyone
  "GET /": everyone(plain, 302),
  "GET /shop": everyone(),
  "GET /login": everyone(undefined, 302),
  "GET /more": everyone(),
  "GET /profile": everyone(),
  "GET /account": everyone(),
  "GET /password-reset": everyone(),
  "GET /password-reset/:jwt": everyone(({ token }) => ({ params: { jwt: token } })),
  "GET /embed/bridge": everyone(({ token }) => ({ query: `token=${token}` }), 401),
  "GET /product/:id": everyone(product),
  "GET /products/:id": everyone(product),
  "GET /collections": everyone(),
  "GET /collections/:slug": everyone(({ collection }) => ({ params: { slug: collection.slug } })),
  "GET /collections/vendor/:id": everyone(vendor),
  "GET /hubs": everyone(),
  "GET /hubs/:id": everyone(hub),
  "GET /search": everyone(() => ({ query: "q=eggs" })),
  "GET /favorites": everyone(),
  "GET /subscription": everyone(),
  "GET /next-boxes": everyone(),
  "GET /vendors": everyone(),
  "GET /vendors/:id": everyone(vendor),
  "GET /bundles": everyone(),
  "GET /bundles/:id": everyone(bundle),
  "GET /order-complete/:id": everyone(order),
  "GET /gift-card": everyone(),
  "GET /wagon-pass": everyone(),
  "GET /embed/payment": everyone(),
  "GET /embed/wagon-pass": everyone(),
  "GET /embed/gift-cards": everyone(),
  "GET /embed/checkout": everyone(),
  "GET /support": everyone(),
  "GET /embed/report-problem": everyone(),
  "GET /embed/contact-us": everyone(),
  "GET /inbox": everyone(),
  "GET /inbox/:id": everyone(({ threadId }) => ({ params: { id: threadId } })),
  "GET /about": everyone(),
  "GET /blog": everyone(),
  "GET /blog/:id": everyone(({ post }) => ({ params: { id: post.id } })),
  "GET /faq": everyone(),
  "GET /help": everyone(),
  "GET /jobs": everyone(),
  "GET /driver-application": everyone(),
  "GET /join": everyone(),
  "GET /terms": everyone(),
  "GET /privacy": everyone(),
  "GET /contact-us": everyone(),
  "GET /embed/faq": everyone(),
  "GET /embed/terms": everyone(),
  "GET /embed/privacy": everyone(),
  "GET /embed/become-a-vendor": everyone(),
  "GET /404": everyone(plain, 404),
  "GET /*": everyone(() => ({ params: { "*": "no-such-page" } }), 404),

  // The page of a label's QR code: a shopper's session opens nothing
  "GET /t/:code": everyone(({ orderId }) => ({ params: { code: orderId } })),
  "GET /T/:code": everyone(({ orderId }) => ({ params: { code: orderId } })),

  // Links of mails: the token identifies the customer, whatever the session
  "GET /account/data/:token": everyone(({ token }) => ({ params: { token } }), 303),
  "POST /account/data/:token": everyone(({ token }) => ({ params: { token } }), 303),
  "GET /account/email/:token": everyone(() => ({ params: { token: "no-such-token" } })),
  "POST /account/email/:token": everyone(() => ({ params: { token: "no-such-token" } }), 410),
  "GET /unsubscribe/:token": everyone(() => ({ params: { token: "7.no-such-token" } }), 404),
  "POST /unsubscribe/:token": everyone(() => ({ params: { token: "7.no-such-token" } }), 404),
  // Sample mails, outside production
  "GET /dev/mails": everyone(),
  "GET /dev/mails/:name": everyone(() => ({ params: { name: "order-confirmation" } })),

  // Neutral routes
  "GET /sitemap.xml": everyone(),
  "GET /robots.txt": everyone(),
  "GET /manifest.webmanifest": everyone(),
  "GET /favicon.ico": everyone(plain, 302),
  "GET /version.json": everyone(),
  "GET /healthz": everyone(),
  "GET /readyz": everyone(),
  // 200 for this machine; 404 for others without a token (plugins/metrics.test.ts).
  "GET /metrics": everyone(),
  "GET /api/openapi.json": everyone(),
  "GET /img/:id/:file": everyone(() => ({ params: { id: "0000000000000000", file: "480.webp" } }), 404),
};
