import { randomUUID } from "node:crypto";

/** What a request may need: a market with a frozen day, and new rows for a call that is allowed. */
export interface AdminFixtures {
  /** The slug of the market of the cell. */
  hub: string;
  /** Its frozen day. */
  day: string;
  /** An order of that day. */
  order: number;
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
const roles = [{ role: "editor", hubId: null }];

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
  "POST /api/admin/staff/:id/disable": { request: member, status: 200 },
  "POST /api/admin/staff/:id/reset": { request: member, status: 200 },

  "GET /api/admin/actions": ok,
  "POST /api/admin/actions/:id/undo": { request: async () => ({ params: { id: 2_000_000 } }), status: 404 },

  // Whose orders, and what may be done with them where: `orders/hold-cancel.test.ts`, `orders/hold-resend.test.ts`.
  "POST /api/admin/orders/:id/cancel/plan": {
    request: async () => ({ params: { id: 2_000_000 }, body: { refundTo: "card" } }),
    status: 404,
  },
  "POST /api/admin/orders/:id/cancel": {
    request: async () => ({
      params: { id: 2_000_000 },
      body: { reason: "Flood", refundTo: "card", expectedVersion: "none" },
    }),
    status: 404,
  },
  "POST /api/admin/orders/:id/mails/:mail/resend": {
    request: async () => ({ params: { id: 2_000_000, mail: 2_000_000 } }),
    status: 404,
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
  // The orders of other markets: `orders/order-box.test.ts`.
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
};
