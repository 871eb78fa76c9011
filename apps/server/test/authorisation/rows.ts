import { CHOICE, GOOD_CARD, PASSWORD } from "../factories.ts";
import type { Things, Visitor } from "./things.ts";

/** What a row asks with: `:name` parts of the URL, a query, a body. */
interface Ask {
  params?: Record<string, string | number>;
  query?: string;
  body?: unknown;
}

/** The status each visitor gets; a guard's 401 says `login_required`, anything else says its code here. */
export type Row = Record<Visitor, number | [status: number, code: string]> & { ask: (of: Things) => Ask };

type AskOf = (of: Things) => Ask;
const plain: AskOf = () => ({});

/** Everybody gets the same, whoever they are. */
const everybody = (ask: AskOf = plain, answer: Row["owner"] = 200): Row => ({
  ask,
  nobody: answer,
  guest: answer,
  vendor: answer,
  other: answer,
  owner: answer,
});
/** Whoever has a session: a guest too, each for themselves. */
const shoppers = (ask: AskOf = plain, answer: Row["owner"] = 200): Row => ({
  ...everybody(ask, answer),
  nobody: 401,
  vendor: 401,
});
/** Whoever has an account, each for themselves. */
const customers = (ask: AskOf = plain, answer: Row["owner"] = 200): Row => ({
  ...shoppers(ask, answer),
  guest: 401,
});
/** About a thing of customer A: customer B is told that there is none, as for an id nobody has. */
const ownerOnly = (ask: AskOf, answer: Row["owner"] = 200): Row => ({ ...customers(ask, answer), other: 404 });

const product: AskOf = ({ eggs }) => ({ params: { id: eggs.id } });
const vendor: AskOf = ({ vendorId }) => ({ params: { id: vendorId } });
const bundle: AskOf = ({ bundle }) => ({ params: { id: bundle.id } });
const order: AskOf = ({ orderId }) => ({ params: { id: orderId } });
const hub: AskOf = ({ farHub }) => ({ params: { id: farHub.id } });
const line = ({ eggs }: Things) => ({ productId: eggs.id, variantId: eggs.variant.id });

/**
 * Every route there is and what it says to each visitor (failures.md G1). A new route is a new line: choose `everybody`,
 * `shoppers`, `customers` or `ownerOnly`, and say with what it is asked so that the owner succeeds.
 */
export const rows: Record<string, Row> = {
  // Who is here
  "GET /api/auth": everybody(),
  "POST /api/auth/guest": everybody(() => ({ query: "zipCode=46032" })),
  "POST /api/auth/login": everybody(
    ({ freshEmail }) => ({ body: { username: freshEmail(), password: "wrong" } }),
    [401, "invalid_credentials"],
  ),
  "POST /api/auth/register": everybody(({ freshEmail }) => ({
    body: { email: freshEmail(), password: "wheelbarrow", zipCode: "46032", firstName: "Ada", lastName: "Brown" },
  })),
  "PUT /api/auth/logout": everybody(),
  "GET /api/geo/zip": everybody(() => ({ query: "lat=39.97&lng=-86.13" })),
  "POST /api/auth/forgot": everybody(({ freshEmail }) => ({ body: { email: freshEmail() } })),
  // The token of a vendor's link is no reset token.
  "POST /api/auth/reset/:token": everybody(({ token }) => ({ params: { token }, body: { password: "wheelbarrow" } })),
  "POST /api/auth/reset": everybody(plain, 400),
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
  "GET /api/hubs": everybody(),
  "GET /api/hubs/:id/details": everybody(hub),
  "GET /api/hubs/:id/map": everybody(hub),
  "PUT /api/hubs/:id/switch": shoppers(hub),
  "POST /api/hubs/:id/switch": shoppers(hub),
  "GET /api/feed": everybody(),
  "GET /api/banners/": everybody(),
  "GET /api/collections": everybody(),
  "GET /api/collections/:id/products": everybody(({ collection }) => ({ params: { id: collection.id } })),
  "GET /api/content/:slug": everybody(() => ({ params: { slug: "terms" } })),
  "GET /api/faq": everybody(),
  "GET /api/blog-posts": everybody(() => ({ query: "category=blog" })),
  "GET /api/blog-posts/:id": everybody(({ post }) => ({ params: { id: post.id } })),
  "GET /api/search/new/auto-complete/:q": everybody(() => ({ params: { q: "eggs" } })),
  "GET /api/search/new/query/:q": everybody(() => ({ params: { q: "eggs" } })),
  "GET /api/search/vendors/:q": everybody(() => ({ params: { q: "vendor" } })),
  "GET /api/vendors/search/:q": everybody(() => ({ params: { q: "vendor" } })),

  // Products
  "GET /api/products/:id": everybody(product),
  "GET /api/products/:id/suggestions": everybody(product),
  "GET /api/products/:id/reviews": everybody(product),
  "POST /api/products/:id/reviews": customers((of) => ({ ...product(of), body: { comment: "Good.", rating: 5 } })),
  "GET /api/products/:id/questions": everybody(product),
  "POST /api/products/:id/questions": customers((of) => ({ ...product(of), body: { question: "Fresh?" } })),
  "POST /api/products/:id/favorite": customers(product),
  "DELETE /api/products/:id/favorite": customers(product),
  "GET /api/favorites/products": customers(),
  "GET /api/favorites/vendors": customers(),
  "GET /api/favorites/all-vendors": customers(),
  "GET /api/favorites/most-ordered": customers(),

  // Vendors and bundles
  "GET /api/vendors": everybody(),
  "GET /api/vendors/:id": everybody(vendor),
  "GET /api/vendors/:id/products": everybody(vendor),
  "GET /api/vendors/:id/posts": everybody(vendor),
  "POST /api/vendors/:id/favorite": customers(vendor),
  "DELETE /api/vendors/:id/favorite": customers(vendor),
  "POST /api/vendors/:id/endorse": customers((of) => ({ ...vendor(of), body: { score: 5, relationship: 1 } })),
  "GET /api/bundles": everybody(),
  "GET /api/bundles/subscribed": customers(),
  "GET /api/bundles/:id": everybody(bundle),
  "POST /api/bundles/:id": customers((of) => ({ ...bundle(of), body: { subscription_interval: 2 } })),
  "DELETE /api/bundles/:id": customers(bundle),

  // Cart, checkout, orders
  "GET /api/cart": everybody(),
  "PUT /api/cart": shoppers((of) => ({ body: [{ ...line(of), quantity: 2 }] })),
  "PUT /api/cart/discount": shoppers(() => ({ body: { code: null } })),
  "POST /api/checkout/quote": customers(() => ({ body: CHOICE })),
  "POST /api/checkout": customers(() => ({ body: { ...CHOICE, expectedTotal: 1 } }), [409, "cart_empty"]),
  "POST /api/checkout/:attemptId/complete": customers(
    ({ unknownUuid }) => ({ params: { attemptId: unknownUuid }, body: {} }),
    404,
  ),
  "GET /api/orders": customers(),
  "GET /api/orders/:id": ownerOnly(order),
  "POST /api/orders/edit-order": ownerOnly(({ orderId, variantId }) => ({
    body: { order: { id: orderId, items: [{ quantity: 1, product: { variant: { id: variantId } } }] } },
  })),
  "GET /api/orders/:id/survey/": ownerOnly(order),
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
  "POST /api/payment-methods/complete": customers(() => ({ body: { setupId: "seti_nobodys" } }), 404),
  "POST /api/purchases/:paymentId/complete": customers(
    ({ unknownUuid }) => ({ params: { paymentId: unknownUuid }, body: {} }),
    404,
  ),
  "POST /api/webhooks/stripe": everybody(() => ({ body: {} }), 404),
  "DELETE /api/payment-methods/:id": ownerOnly(({ secondMethodId }) => ({ params: { id: secondMethodId } })),
  "PUT /api/payment-methods/:id/default": ownerOnly(({ secondMethodId }) => ({ params: { id: secondMethodId } })),
  "POST /api/gift-cards": customers(
    () => ({
      body: { amount: 10, recipientEmail: "friend@example.com", deliverOn: "2026-11-25", card: GOOD_CARD },
    }),
    201,
  ),
  "POST /api/gift-cards/redeem": customers(() => ({ body: { code: "no such code" } }), 422),
  "GET /api/wagon-pass": customers(),
  "POST /api/wagon-pass": customers(() => ({ body: { plan: "monthly", card: GOOD_CARD } })),
  "DELETE /api/wagon-pass": customers(),
  "GET /api/referrals": customers(),

  // People and words
  "GET /api/problems/challenge": everybody(),
  "POST /api/problems/contact-us": everybody(
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
  // Only the link in the address opens them, and only a link of ours (modules/answers).
  "GET /answer/:token": everybody(({ unknownUuid }) => ({ params: { token: `${unknownUuid}.forged` } }), 404),
  "POST /answer/:token": everybody(
    ({ unknownUuid }) => ({ params: { token: `${unknownUuid}.forged` }, body: { answer: "It does." } }),
    404,
  ),
  "POST /api/problems/orders/:id": customers(
    ({ orderId }) => ({ params: { id: orderId }, body: {} }),
    [415, "unsupported_media_type"],
  ),
  "POST /api/leads": everybody(({ freshEmail }) => ({ body: { kind: "email", email: freshEmail() } })),

  // Pages: the same for everybody, with their own data and nobody else's
  "GET /": everybody(plain, 302),
  "GET /shop": everybody(),
  "GET /login": everybody(undefined, 302),
  "GET /more": everybody(),
  "GET /profile": everybody(),
  "GET /account": everybody(),
  "GET /account/data/:token": everybody(({ token }) => ({ params: { token } }), 302),
  "GET /password-reset": everybody(),
  "GET /password-reset/:jwt": everybody(({ token }) => ({ params: { jwt: token } })),
  "GET /embed/bridge": everybody(({ token }) => ({ query: `token=${token}` }), 401),
  "GET /product/:id": everybody(product),
  "GET /products/:id": everybody(product),
  "GET /collections": everybody(),
  "GET /collections/:slug": everybody(({ collection }) => ({ params: { slug: collection.slug } })),
  "GET /collections/vendor/:id": everybody(vendor),
  "GET /hubs": everybody(),
  "GET /hubs/:id": everybody(hub),
  "GET /search": everybody(() => ({ query: "q=eggs" })),
  "GET /favorites": everybody(),
  "GET /subscription": everybody(),
  "GET /next-boxes": everybody(),
  "GET /vendors": everybody(),
  "GET /vendors/:id": everybody(vendor),
  "GET /bundles": everybody(),
  "GET /bundles/:id": everybody(bundle),
  "GET /order-complete/:id": everybody(order),
  "GET /gift-card": everybody(),
  "GET /wagon-pass": everybody(),
  "GET /embed/payment": everybody(),
  "GET /embed/wagon-pass": everybody(),
  "GET /embed/gift-cards": everybody(),
  "GET /embed/checkout": everybody(),
  "GET /support": everybody(),
  "GET /embed/report-problem": everybody(),
  "GET /embed/contact-us": everybody(),
  "GET /inbox": everybody(),
  "GET /inbox/:id": everybody(({ threadId }) => ({ params: { id: threadId } })),
  "GET /about": everybody(),
  "GET /blog": everybody(),
  "GET /blog/:id": everybody(({ post }) => ({ params: { id: post.id } })),
  "GET /faq": everybody(),
  "GET /help": everybody(),
  "GET /jobs": everybody(),
  "GET /driver-application": everybody(),
  "GET /join": everybody(),
  "GET /terms": everybody(),
  "GET /privacy": everybody(),
  "GET /contact-us": everybody(),
  "GET /embed/faq": everybody(),
  "GET /embed/terms": everybody(),
  "GET /embed/privacy": everybody(),
  "GET /embed/become-a-vendor": everybody(),
  "GET /404": everybody(plain, 404),
  "GET /*": everybody(() => ({ params: { "*": "no-such-page" } }), 404),

  // The way out of mails: the token says whose, and no session changes that
  "GET /account/email/:token": everybody(() => ({ params: { token: "no-such-token" } })),
  "POST /account/email/:token": everybody(() => ({ params: { token: "no-such-token" } }), 410),
  "GET /unsubscribe/:token": everybody(() => ({ params: { token: "7.no-such-token" } }), 404),
  "POST /unsubscribe/:token": everybody(() => ({ params: { token: "7.no-such-token" } }), 404),
  // Examples of mails, outside production
  "GET /dev/mails": everybody(),
  "GET /dev/mails/:name": everybody(() => ({ params: { name: "order-confirmation" } })),

  // What is nobody's
  "GET /sitemap.xml": everybody(),
  "GET /robots.txt": everybody(),
  "GET /manifest.webmanifest": everybody(),
  "GET /favicon.ico": everybody(plain, 302),
  "GET /version.json": everybody(),
  "GET /healthz": everybody(),
  "GET /readyz": everybody(),
  // This machine is who asks here; elsewhere it is 404 without a token (plugins/metrics.test.ts).
  "GET /metrics": everybody(),
  "GET /api/openapi.json": everybody(),
  "GET /img/:id/:file": everybody(() => ({ params: { id: "0000000000000000", file: "480.webp" } }), 404),
};
