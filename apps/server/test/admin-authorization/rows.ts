import { randomUUID } from "node:crypto";

/** What a request may need: a market with a frozen day, and new rows for a call that is allowed. */
export interface AdminFixtures {
  /** The slug of the market of the cell. */
  hub: string;
  /** Its frozen day. */
  day: string;
  /** An order of that day. */
  order: number;
  /** A person of the market alone. */
  customer: number;
  /** A person of the staff to change; a new one for each allowed call. */
  target(): Promise<{ id: number; version: number }>;
  /** Another session of the caller. */
  otherSession(): Promise<string>;
}

export interface AdminRow {
  request?: (of: AdminFixtures) => Promise<{ params?: Record<string, string | number>; body?: unknown }>;
  /**
   * What a person who may call it gets. A call that needs a device or a secret names the refusal of a wrong one, which comes after
   * access: the tests of sign-in have the rest.
   */
  status: number | [status: number, code: string];
  /** An endless answer: only its head is awaited. */
  isStream?: true;
  /** The call ends its session. */
  endsSession?: true;
}

const ok: AdminRow = { status: 200 };
const proof = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA", attestationObject: "AAAA" },
  clientExtensionResults: {},
};
const day = async ({ hub, day: date }: AdminFixtures) => ({ params: { hub, date } });
const person = async ({ customer }: AdminFixtures) => ({ params: { id: customer } });
const dead = async () => ({ params: { token: "none" } });
const member = async ({ target }: AdminFixtures) => {
  const { id, version } = await target();
  return { params: { id }, body: { expectedVersion: version } };
};
const count = { variantId: 2_000_000, came: 1, of: 2, gets: null, refundTo: "card", bearer: "vendor", reason: "" };
const noShortage = async ({ hub, day: date }: AdminFixtures) => ({
  params: { hub, date, id: 2_000_000 },
  body: { expectedVersion: 1 },
});
const noNote = (id: number) => ({ id, note: 2_000_000 });
const shortOfNone = { variantId: 2_000_000, came: 0, of: 1, to: "credit", bearer: "market" };
const notShown = async () => ({ body: { orderIds: [2_000_000] } });
const noPoint = { type: "pickup", pickupPointId: 2_000_000 };
const roles = [{ role: "editor", hubId: null }];
const noPayout = async () => ({ params: { id: 2_000_000 } });
const noMessage = { params: { kind: "message", id: 2_000_000 } };

/** Of an email that every market sends. */
const ofMail = async () => ({ params: { name: "order-confirmation" } });

/** Every route of the admin API. Who may call it is in its contract; here is a request that works for an owner. */
export const adminRows: Record<string, AdminRow> = {
  "GET /api/admin/openapi.json": ok,
  "GET /api/admin/events": { status: 200, isStream: true },

  "GET /api/admin/session": ok,
  "POST /api/admin/session/passkey/options": ok,
  "POST /api/admin/session/passkey": { request: async () => ({ body: { proof } }), status: [401, "sign_in_failed"] },
  "POST /api/admin/session/password": {
    request: async () => ({ body: { email: "none@example.com", password: "wrong", code: "123456" } }),
    status: [401, "sign_in_failed"],
  },
  "POST /api/admin/session/recovery": {
    request: async () => ({ body: { email: "none@example.com", code: "wrong" } }),
    status: [401, "sign_in_failed"],
  },
  "DELETE /api/admin/session": { status: 200, endsSession: true },
  "GET /api/admin/invites/:token": { request: dead, status: [404, "link_dead"] },
  "POST /api/admin/invites/:token/passkey/options": {
    request: async () => ({ params: { token: "none" }, body: { name: "Ada" } }),
    status: [404, "link_dead"],
  },
  "POST /api/admin/invites/:token/passkey": {
    request: async () => ({
      params: { token: "none" },
      body: { name: "Ada", passkeyName: "Laptop", passkey: proof },
    }),
    status: [404, "link_dead"],
  },
  "POST /api/admin/invites/:token/password/options": { request: dead, status: [404, "link_dead"] },
  "POST /api/admin/invites/:token/password": {
    request: async () => ({
      params: { token: "none" },
      body: { name: "Ada", password: "a long password", secret: "A".repeat(32), code: "123456" },
    }),
    status: [404, "link_dead"],
  },

  "POST /api/admin/step-up/options": ok,
  "POST /api/admin/step-up": {
    request: async () => ({ body: { password: "wrong", code: "123456" } }),
    status: [401, "sign_in_failed"],
  },
  "GET /api/admin/me/security": ok,
  "POST /api/admin/me/passkeys/options": ok,
  "POST /api/admin/me/passkeys": {
    request: async () => ({ body: { name: "Laptop", passkey: proof } }),
    status: [400, "passkey_failed"],
  },
  "DELETE /api/admin/me/passkeys/:id": { request: async () => ({ params: { id: "none" } }), status: 404 },
  "POST /api/admin/me/recovery-codes": ok,
  "DELETE /api/admin/me/sessions/:id": {
    request: async ({ otherSession }) => ({ params: { id: await otherSession() } }),
    status: 200,
  },

  "GET /api/admin/me/keys": ok,
  "POST /api/admin/me/keys": {
    request: async () => ({ body: { name: "Export", permissions: ["audit.read"], days: 1 } }),
    status: 201,
  },
  "DELETE /api/admin/me/keys/:id": { request: async () => ({ params: { id: 2_000_000 } }), status: 404 },

  "GET /api/admin/staff": ok,
  "POST /api/admin/staff": {
    request: async () => ({ body: { email: `new.${randomUUID()}@example.com`, name: "New", roles } }),
    status: 201,
  },
  "PUT /api/admin/staff/:id/roles": {
    request: async (of) => {
      const { params, body } = await member(of);
      return { params, body: { ...body, roles } };
    },
    status: 200,
  },
  "GET /api/admin/staff/:id/access": {
    request: async ({ target }) => ({ params: { id: (await target()).id } }),
    status: 200,
  },
  "DELETE /api/admin/staff/:id/sessions/:session": {
    request: async ({ target }) => ({ params: { id: (await target()).id, session: "all" } }),
    status: 200,
  },
  "DELETE /api/admin/staff/:id/keys/:key": {
    request: async ({ target }) => ({ params: { id: (await target()).id, key: "all" } }),
    status: 200,
  },
  "POST /api/admin/staff/:id/disable": { request: member, status: 200 },
  "POST /api/admin/staff/:id/reset": { request: member, status: 200 },

  "GET /api/admin/actions": ok,
  "POST /api/admin/actions/:id/undo": { request: async () => ({ params: { id: 2_000_000 } }), status: 404 },

  "POST /api/admin/orders/:id/cancel/plan": {
    request: async ({ order }) => ({ params: { id: order }, body: { refundTo: "card" } }),
    status: 200,
  },
  "POST /api/admin/orders/:id/cancel": {
    request: async ({ order }) => ({
      params: { id: order },
      body: { reason: "Flood", refundTo: "card", expectedVersion: "none" },
    }),
    status: [409, "conflict"],
  },
  "GET /api/admin/orders/:id/moves": { request: async ({ order }) => ({ params: { id: order } }), status: 200 },
  "POST /api/admin/orders/:id/place/plan": {
    request: async ({ order }) => ({ params: { id: order }, body: { place: noPoint } }),
    status: [404, "no_such_point"],
  },
  "POST /api/admin/orders/:id/place": {
    request: async ({ order }) => ({ params: { id: order }, body: { place: noPoint, expectedVersion: "none" } }),
    status: [409, "conflict"],
  },
  "POST /api/admin/orders/:id/refund/plan": {
    request: async ({ order }) => ({ params: { id: order }, body: { amount: 90_000, to: "credit", bearer: null } }),
    status: [422, "too_much"],
  },
  "POST /api/admin/orders/:id/refund": {
    request: async ({ order }) => ({
      params: { id: order },
      body: { amount: 1, to: "credit", bearer: null, reason: "Bruised", expectedVersion: "none" },
    }),
    status: [409, "conflict"],
  },
  "POST /api/admin/orders/:id/short/plan": {
    request: async ({ order }) => ({ params: { id: order }, body: shortOfNone }),
    status: [409, "same_count"],
  },
  "POST /api/admin/orders/:id/short": {
    request: async ({ order }) => ({ params: { id: order }, body: { ...shortOfNone, expectedVersion: "none" } }),
    status: [409, "conflict"],
  },
  "POST /api/admin/orders/:id/day/plan": {
    request: async ({ order, day: to }) => ({ params: { id: order }, body: { to } }),
    status: [404, "no_such_day"],
  },
  "POST /api/admin/orders/:id/day": {
    request: async ({ order, day: to }) => ({ params: { id: order }, body: { to, expectedVersion: "none" } }),
    status: [409, "conflict"],
  },
  "POST /api/admin/orders/:id/notes": {
    request: async ({ order }) => ({ params: { id: order }, body: { kind: "inside", text: "Called" } }),
    status: 200,
  },
  "PUT /api/admin/orders/:id/notes/:note": {
    request: async ({ order }) => ({ params: noNote(order), body: { text: "Ring", expectedVersion: 1 } }),
    status: [404, "not_found"],
  },
  "POST /api/admin/orders/:id/notes/:note/remove": {
    request: async ({ order }) => ({ params: noNote(order), body: { expectedVersion: 1 } }),
    status: [404, "not_found"],
  },
  "POST /api/admin/orders/:id/notes/:note/send": {
    request: async ({ order }) => ({ params: noNote(order), body: { expectedVersion: 1 } }),
    status: [404, "not_found"],
  },
  "POST /api/admin/orders/:id/charge": {
    request: async ({ order }) => ({ params: { id: order }, body: { expectedVersion: "none" } }),
    status: [409, "conflict"],
  },
  "POST /api/admin/orders/:id/mails/:mail/resend": {
    request: async ({ order }) => ({ params: { id: order, mail: 2_000_000 } }),
    status: [404, "not_found"],
  },

  "GET /api/admin/hubs/:hub/days/:date/shorts": { request: day, status: 200 },
  "POST /api/admin/hubs/:hub/days/:date/shorts/plan": {
    request: async (of) => ({ ...(await day(of)), body: count }),
    status: [404, "no_such_item"],
  },
  "PUT /api/admin/hubs/:hub/days/:date/shorts": {
    request: async (of) => ({ ...(await day(of)), body: { ...count, expectedVersion: null } }),
    status: [404, "no_such_item"],
  },
  "POST /api/admin/hubs/:hub/days/:date/shorts/:id/settle": { request: noShortage, status: [404, "not_found"] },
  "POST /api/admin/hubs/:hub/days/:date/shorts/:id/remove": { request: noShortage, status: [404, "not_found"] },

  "GET /api/admin/today": ok,
  "GET /api/admin/hubs/:hub/days/:date": { request: day, status: 200 },
  "GET /api/admin/hubs/:hub/days/:date/boxes": { request: day, status: 200 },
  "GET /api/admin/orders/:id": { request: async ({ order }) => ({ params: { id: order } }), status: 200 },
  "POST /api/admin/hubs/:hub/days/:date/sheets": {
    request: async (of) => ({ ...(await day(of)), body: {} }),
    status: 200,
  },
  "GET /api/admin/hubs/:hub/days/:date/sheets/:version/:file": {
    request: async ({ hub, day: date }) => ({ params: { hub, date, version: 1, file: "pack-lists.pdf" } }),
    status: 200,
  },

  "GET /api/admin/hubs/:hub/days/:date/door": { request: day, status: 200 },
  "POST /api/admin/hubs/:hub/days/:date/door/payments": {
    request: async (of) => ({ ...(await day(of)), body: { orderIds: [2_000_000], amount: 5 } }),
    status: 404,
  },
  "POST /api/admin/hubs/:hub/days/:date/door/payments/undo": {
    request: async (of) => ({ ...(await day(of)), body: { orderId: 2_000_000 } }),
    status: 404,
  },
  "PUT /api/admin/hubs/:hub/days/:date/vendors/:vendor": {
    request: async ({ hub, day: date }) => ({
      params: { hub, date, vendor: 2_000_000 },
      body: { isConfirmed: true, expectedVersion: 0 },
    }),
    status: [404, "no_such_vendor"],
  },
  "PUT /api/admin/hubs/:hub/days/:date/arrivals": {
    request: async (of) => ({ ...(await day(of)), body: { vendorIds: [2_000_000] } }),
    status: [404, "no_such_vendor"],
  },

  "GET /api/admin/orders": ok,
  "GET /api/admin/orders/ids": ok,
  "GET /api/admin/orders.csv": ok,
  "GET /api/admin/orders/suggestions": { status: [400, "invalid"] },
  "GET /api/admin/offers": ok,
  "GET /api/admin/offers.csv": ok,
  "GET /api/admin/offers/suggestions": { status: [400, "invalid"] },
  "POST /api/admin/offers/cells": {
    request: async () => ({ body: { cells: [{ offerId: 2_000_000, field: "price", from: "1.00", to: "2.00" }] } }),
    status: [409, "conflict"],
  },
  "GET /api/admin/views/:screen": { request: async () => ({ params: { screen: "orders" } }), status: 200 },
  "POST /api/admin/views/:screen": {
    request: async () => ({
      params: { screen: "orders" },
      body: { name: randomUUID(), query: "", sort: "-day", columns: [], isShared: false },
    }),
    status: 201,
  },
  "PUT /api/admin/views/:screen/:id": {
    request: async () => ({
      params: { screen: "orders", id: 2_000_000 },
      body: { name: "None", query: "", sort: "-day", columns: [], isShared: false, expectedVersion: 1 },
    }),
    status: [404, "not_found"],
  },
  "DELETE /api/admin/views/:screen/:id": {
    request: async () => ({ params: { screen: "orders", id: 2_000_000 } }),
    status: 204,
  },
  "GET /api/admin/customers": ok,
  "GET /api/admin/customers/:id": { request: person, status: 200 },
  "GET /api/admin/customers/:id/boxes": { request: person, status: 200 },
  "POST /api/admin/customers/:id/credit": {
    request: async (of) => ({ ...(await person(of)), body: { amount: 0.01, reason: randomUUID() } }),
    status: 200,
  },
  "PUT /api/admin/customers/:id/skips/:delivery": {
    request: async ({ customer }) => ({ params: { id: customer, delivery: 2_000_000 }, body: { isSkipped: true } }),
    status: [404, "not_found"],
  },
  "PUT /api/admin/customers/:id/pause": {
    request: async (of) => ({ ...(await person(of)), body: { autoCheckout: "off", expectedVersion: "none" } }),
    status: [409, "conflict"],
  },
  "POST /api/admin/customers/:id/notes": {
    request: async (of) => ({ ...(await person(of)), body: { text: "Rings the back door" } }),
    status: 200,
  },
  "DELETE /api/admin/customers/:id/notes/:note": {
    request: async ({ customer }) => ({ params: { id: customer, note: 2_000_000 } }),
    status: [404, "not_found"],
  },
  "POST /api/admin/customers/:id/export": { request: person, status: 200 },
  "POST /api/admin/customers/:id/delete": {
    request: async (of) => ({ ...(await person(of)), body: { email: "none@example.com", reason: "Request" } }),
    status: [422, "wrong_email"],
  },
  "GET /api/admin/inbox": ok,
  "GET /api/admin/inbox/:kind/:id": { request: async () => noMessage, status: [404, "not_found"] },
  "GET /api/admin/inbox/problem/:id/photos/:photo": {
    request: async () => ({ params: { id: 2_000_000, photo: "none" } }),
    status: [404, "not_found"],
  },
  "POST /api/admin/inbox/:kind/:id/reply": {
    request: async () => ({ ...noMessage, body: { text: "Yes.", expectedVersion: "" } }),
    status: [404, "not_found"],
  },
  "POST /api/admin/inbox/:kind/:id/close": {
    request: async () => ({ ...noMessage, body: { isClosed: true, expectedVersion: "" } }),
    status: [404, "not_found"],
  },
  "POST /api/admin/inbox/:kind/:id/hide": {
    request: async () => ({
      params: { kind: "review", id: 2_000_000 },
      body: { isHidden: true, reason: "spam", expectedVersion: "" },
    }),
    status: [404, "not_found"],
  },
  "PUT /api/admin/inbox/:kind/:id/assignee": {
    request: async () => ({ ...noMessage, body: { staffId: null } }),
    status: [404, "not_found"],
  },
  "GET /api/admin/inbox/people": ok,
  "GET /api/admin/reply-templates": ok,
  "POST /api/admin/reply-templates": {
    request: async () => ({ body: { name: "Thanks", text: "Thank you." } }),
    status: 200,
  },
  "PUT /api/admin/reply-templates/:id": {
    request: async () => ({
      params: { id: 2_000_000 },
      body: { name: "Other", text: "Thank you.", expectedVersion: 1 },
    }),
    status: [404, "not_found"],
  },
  "POST /api/admin/reply-templates/:id/remove": {
    request: async () => ({ params: { id: 2_000_000 }, body: { expectedVersion: 1 } }),
    status: 200,
  },
  "GET /api/admin/audit": ok,
  "GET /api/admin/audit/choices": ok,
  "GET /api/admin/audit/export": ok,
  "GET /api/admin/audit/entries/:id": {
    request: async () => ({ params: { id: 2_000_000 } }),
    status: [404, "not_found"],
  },
  "GET /api/admin/payouts/due": ok,
  "GET /api/admin/payouts/due/:id": { request: noPayout, status: [404, "not_found"] },
  "POST /api/admin/payouts": {
    request: async () => ({ body: { to: "2026-01-01", amounts: [{ vendorId: 2_000_000, amount: 1 }] } }),
    status: [409, "amounts_changed"],
  },
  "GET /api/admin/payouts": ok,
  "GET /api/admin/payouts/:id": { request: noPayout, status: [404, "not_found"] },
  "GET /api/admin/payouts/:id/file": { request: noPayout, status: [404, "not_found"] },
  "POST /api/admin/payouts/:id/vendors/:vendor/reverse": {
    request: async () => ({ params: { id: 2_000_000, vendor: 2_000_000 }, body: { reason: "Account closed" } }),
    status: [404, "not_found"],
  },
  "GET /api/admin/settings/environment": ok,
  "GET /api/admin/settings/health": ok,
  "GET /api/admin/settings/backups": ok,
  "POST /api/admin/settings/checks": ok,
  "POST /api/admin/settings/work/retry": { request: async () => ({ body: {} }), status: 200 },
  "GET /api/admin/settings/mails": ok,
  "GET /api/admin/settings/mails/:name": { request: ofMail, status: 200 },
  "GET /api/admin/settings/mails/:name/html": { request: ofMail, status: 200 },
  "POST /api/admin/settings/mails/:name/test": { request: ofMail, status: 200 },
  "POST /api/admin/bulk/paid": { request: notShown, status: 404 },
  "POST /api/admin/bulk/deliver": { request: notShown, status: 404 },
  "POST /api/admin/bulk/place": {
    request: async () => ({ body: { orderIds: [2_000_000], pickupPointId: 2_000_000 } }),
    status: 404,
  },
  "POST /api/admin/bulk/place/points": { request: async () => ({ body: { orderIds: [2_000_000] } }), status: 404 },
  "POST /api/admin/bulk/cancel": {
    request: async () => ({ body: { orderIds: [2_000_000], refundTo: "card", reason: "Flood" } }),
    status: 404,
  },
  "POST /api/admin/bulk/charge": { request: notShown, status: 404 },
  "POST /api/admin/bulk/message": {
    request: async () => ({ body: { orderIds: [2_000_000], subject: "Late", text: "An hour." } }),
    status: 404,
  },
  "POST /api/admin/bulk/print/plan": {
    request: async () => ({ body: { orderIds: [2_000_000], kind: "labels" } }),
    status: 404,
  },
  "GET /api/admin/bulk/print/:kind": {
    // Without its orders: they are in the query.
    request: async () => ({ params: { kind: "labels" } }),
    status: 400,
  },
};
