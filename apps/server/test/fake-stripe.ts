import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import Stripe from "stripe";

import { CARD_YEAR } from "./card-year.ts";

/** Behavior of cards by number; all others succeed. */
const CARDS: Record<string, "decline" | "no_funds" | "challenge" | "always_challenge" | "refuse_refund"> = {
  "4000000000000002": "decline",
  "4000000000009995": "no_funds",
  "4000002500003155": "challenge",
  "4000002760003184": "always_challenge",
  "4000000000005126": "refuse_refund",
};

interface Intent {
  id: string;
  object: "payment_intent";
  status: string;
  amount: number;
  amount_received: number;
  amount_capturable: number;
  currency: string;
  customer: string | null;
  client_secret: string;
  metadata: Record<string, string>;
  payment_method: string | null;
  setup_future_usage: string | null;
  last_payment_error: object | null;
  created: number;
}
interface Method {
  id: string;
  object: "payment_method";
  type: "card";
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string };
  number: string;
}
interface RefundRow {
  id: string;
  object: "refund";
  status: string;
  amount: number;
  payment_intent: string;
  metadata: Record<string, string>;
  created: number;
  failure_reason?: string;
}
interface DisputeRow {
  id: string;
  object: "dispute";
  amount: number;
  status: string;
  reason: string;
  charge: string;
  payment_intent: string;
  created: number;
  evidence_details: { due_by: number };
}
interface CustomerRow {
  id: string;
  object: "customer";
  email?: string;
  metadata?: Record<string, string>;
}
type Params = Record<string, any>;

/** `a[b][0]=c` → `{ a: { b: ["c"] } }`, as the SDK sends its bodies. */
function parseForm(text: string): Params {
  const out: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll("]", "").split("[");
    let at = out;
    for (const part of path.slice(0, -1)) at = at[part] ??= {};
    at[path.at(-1)!] = value;
  }
  return out;
}

/** Stripe's minimum for US dollars. */
const MINIMUM = 50;

class StripeFailure extends Error {
  readonly status: number;
  readonly body: object;
  constructor(status: number, body: object) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}
const id = (prefix: string) => `${prefix}_${randomBytes(10).toString("hex")}`;
const tooSmall = () =>
  new StripeFailure(400, {
    type: "invalid_request_error",
    code: "amount_too_small",
    message: "Amount must be at least $0.50 usd.",
  });
const missing = (what: string) =>
  new StripeFailure(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    param: what,
    message: `No such ${what}.`,
  });

/** Faults of a request, by subject ("POST payment_intents"); each occurs once. */
/** `error`: Stripe refuses the request with it. */
export type Trouble =
  | { status: number; error: object }
  | "500 after"
  | "500 before"
  | "cut after"
  | "cut before"
  | { delayMs: number };

/** A token like the fake of Stripe's browser script creates: it contains its card and works once. */
export const tokenOf = (number: string): string => `ctoken_${number}_${randomBytes(8).toString("hex")}`;

/**
 * Fake of Stripe: an HTTP server with a ledger, an idempotency store like the real one (responses are stored, including 500;
 * another body under a key is rejected), and events that tests deliver. Its ledger is the reference for V4.
 */
export async function fakeStripe(options: { webhookSecret: string; now?: () => Date }) {
  const now = options.now ?? (() => new Date());
  const intents = new Map<string, Intent>();
  const setups = new Map<string, any>();
  const methods = new Map<string, Method>();
  const customers = new Map<string, CustomerRow>();
  const refunds = new Map<string, RefundRow>();
  const disputes = new Map<string, DisputeRow>();
  /** Error codes of the next refunds. */
  const refusals: string[] = [];
  /** Whether a bank has the money of a dispute. */
  const takes = ({ status }: DisputeRow) => ["needs_response", "under_review", "lost"].includes(status);
  const usedTokens = new Set<string>();
  const responsesByKey = new Map<string, { hash: string; status: number; body: object }>();
  const events: Stripe.Event[] = [];
  const calls: string[] = [];
  const troubles: { about: string; trouble: Trouble; of: string }[] = [];
  let isDown = false;
  let isPending = false;
  /** Requests that were sent while it was down and are still in transit. */
  const delayedRequests: (() => void)[] = [];
  let onRequest: (() => Promise<void>) | null = null;

  const emit = (type: string, object: object) =>
    void events.push({
      id: id("evt"),
      object: "event",
      type,
      created: Math.floor(now().getTime() / 1000),
      data: { object: structuredClone(object) },
    } as never);

  const methodOf = (params: Params, customer: string | null): Method => {
    if (params["payment_method"]) {
      const existing = methods.get(params["payment_method"]);
      if (!existing) throw missing("payment_method");
      if (existing.customer !== customer)
        throw new StripeFailure(400, {
          type: "invalid_request_error",
          param: "payment_method",
          message: "The method is another customer's.",
        });
      return existing;
    }
    const token = String(params["confirmation_token"] ?? "");
    const number = /^ctoken_(\d{12,19})_/.exec(token)?.[1];
    if (!number) throw missing("confirmation_token");
    if (usedTokens.has(token))
      throw new StripeFailure(400, {
        type: "invalid_request_error",
        code: "token_already_used",
        message: "Used before.",
      });
    usedTokens.add(token);
    const method: Method = {
      id: id("pm"),
      object: "payment_method",
      type: "card",
      customer: null,
      number,
      card: {
        brand: number.startsWith("4") ? "visa" : "mastercard",
        last4: number.slice(-4),
        exp_month: 12,
        exp_year: CARD_YEAR,
        fingerprint: `fp${number}`,
      },
    };
    methods.set(method.id, method);
    return method;
  };
  const show = (intent: Intent, params: Params) => {
    const wants = JSON.stringify(params["expand"] ?? "").includes("payment_method");
    return {
      ...intent,
      payment_method: wants ? (methods.get(intent.payment_method ?? "") ?? null) : intent.payment_method,
    };
  };
  const decline = (intent: Intent, code: "card_declined" | "authentication_required", declineCode?: string) => {
    const message =
      declineCode === "insufficient_funds" ? "Your card has insufficient funds." : "Your card was declined.";
    intent.status = "requires_payment_method";
    intent.last_payment_error = { type: "card_error", code, decline_code: declineCode, message };
    emit("payment_intent.payment_failed", intent);
    throw new StripeFailure(402, { ...intent.last_payment_error, payment_intent: intent });
  };
  const hold = (intent: Intent) => {
    intent.status = "requires_capture";
    intent.amount_capturable = intent.amount;
    const method = methods.get(intent.payment_method ?? "");
    if (method && intent.setup_future_usage) method.customer = intent.customer;
    emit("payment_intent.amount_capturable_updated", intent);
  };

  function createCustomer(params: Params): object {
    const created: CustomerRow = { id: id("cus"), object: "customer", ...params };
    customers.set(created.id, created);
    return created;
  }
  /** Deletes a customer: the cards are detached, the payments stay and are found by id. */
  function deleteCustomer(customerId: string): object {
    if (!customers.delete(customerId)) throw missing("customer");
    for (const method of methods.values()) if (method.customer === customerId) method.customer = null;
    return { id: customerId, object: "customer", deleted: true };
  }

  function createIntent(params: Params): object {
    const customer = params["customer"] ?? null;
    if (customer !== null && !customers.has(customer)) throw missing("customer");
    const method = methodOf(params, customer);
    const created = id("pi");
    const intent: Intent = {
      id: created,
      object: "payment_intent",
      status: "requires_payment_method",
      amount: Number(params["amount"]),
      amount_received: 0,
      amount_capturable: 0,
      currency: params["currency"],
      customer,
      client_secret: `${created}_secret_${randomBytes(6).toString("hex")}`,
      metadata: params["metadata"] ?? {},
      payment_method: method.id,
      setup_future_usage: params["setup_future_usage"] ?? null,
      last_payment_error: null,
      created: Math.floor(now().getTime() / 1000),
    };
    if (params["capture_method"] !== "manual")
      throw new StripeFailure(400, { type: "invalid_request_error", message: "manual" });
    if (intent.amount < MINIMUM) throw tooSmall();
    intents.set(intent.id, intent);
    emit("payment_intent.created", intent);
    const behavior = CARDS[method.number];
    if (behavior === "decline") decline(intent, "card_declined", "generic_decline");
    if (behavior === "no_funds") decline(intent, "card_declined", "insufficient_funds");
    // A card that was saved with a challenge needs none off-session.
    if (behavior === "always_challenge" && params["off_session"]) decline(intent, "authentication_required");
    if (behavior === "always_challenge" || (behavior === "challenge" && !params["off_session"])) {
      intent.status = "requires_action";
      emit("payment_intent.requires_action", intent);
    } else hold(intent);
    return show(intent, params);
  }

  /** Those of a charge, or since an instant, newest first. */
  const listed = <T extends { payment_intent: string; created: number }>(all: Map<string, T>, params: Params): T[] =>
    [...all.values()]
      .filter(
        ({ payment_intent: ref, created }) =>
          (params["payment_intent"] ?? ref) === ref && created >= Number(params["created"]?.gte ?? 0),
      )
      .toReversed();

  function route(method: string, path: string[], params: Params): object {
    const [noun, key, verb] = path;
    if (noun === "customers") return method === "DELETE" ? deleteCustomer(key ?? "") : createCustomer(params);
    if (noun === "payment_intents") {
      if (!key)
        return method === "POST"
          ? createIntent(params)
          : {
              object: "list",
              has_more: false,
              data: [...intents.values()]
                .filter(({ customer }) => customer === params["customer"])
                .toReversed()
                .map((intent) => show(intent, params)),
            };
      if (key === "search") {
        const status = /^status:'(\w+)'$/.exec(String(params["query"]))?.[1];
        if (status === undefined)
          throw new StripeFailure(400, { type: "invalid_request_error", message: "The query is not understood." });
        const data = [...intents.values()].filter((intent) => intent.status === status).toReversed();
        return { object: "search_result", url: "/v1/payment_intents/search", has_more: false, next_page: null, data };
      }
      const intent = intents.get(key);
      if (!intent) throw missing("payment_intent");
      if (verb === "capture") {
        const amount = Number(params["amount_to_capture"] ?? intent.amount);
        if (intent.status !== "requires_capture" || amount > intent.amount_capturable)
          throw new StripeFailure(400, {
            type: "invalid_request_error",
            code: "payment_intent_unexpected_state",
            message: `It is ${intent.status}.`,
          });
        if (amount < MINIMUM) throw tooSmall();
        Object.assign(intent, { status: "succeeded", amount_received: amount, amount_capturable: 0 });
        emit("payment_intent.succeeded", intent);
      }
      if (verb === "cancel") {
        if (intent.status === "succeeded" || intent.status === "canceled")
          throw new StripeFailure(400, {
            type: "invalid_request_error",
            code: "payment_intent_unexpected_state",
            message: "No.",
          });
        Object.assign(intent, { status: "canceled", amount_capturable: 0 });
        emit("payment_intent.canceled", intent);
      }
      return show(intent, params);
    }
    if (noun === "setup_intents") {
      if (key) {
        const setup = setups.get(key);
        if (!setup) throw missing("setup_intent");
        return { ...setup, payment_method: methods.get(setup.payment_method) ?? null };
      }
      if (params["customer"] && !customers.has(params["customer"])) throw missing("customer");
      const used = methodOf(params, params["customer"] ?? null);
      const behavior = CARDS[used.number];
      if (behavior === "decline" || behavior === "no_funds")
        throw new StripeFailure(402, { type: "card_error", code: "card_declined", message: "Your card was declined." });
      const created = id("seti");
      const setup = {
        id: created,
        object: "setup_intent",
        status: behavior === "challenge" || behavior === "always_challenge" ? "requires_action" : "succeeded",
        client_secret: `${created}_secret_x`,
        customer: params["customer"],
        metadata: params["metadata"] ?? {},
        payment_method: used.id,
        last_setup_error: null,
      };
      setups.set(created, setup);
      if (setup.status === "succeeded") used.customer = params["customer"];
      return { ...setup, payment_method: used };
    }
    if (noun === "payment_methods" && verb === "detach") {
      const detached = methods.get(key ?? "");
      if (!detached?.customer) throw missing("payment_method");
      detached.customer = null;
      return detached;
    }
    if (noun === "refunds") {
      const of = listed(refunds, params);
      if (method === "GET") return { object: "list", has_more: false, data: of };
      const refusal = refusals.shift();
      const isDisputed = listed(disputes, params).some(takes);
      if (refusal !== undefined || isDisputed)
        throw new StripeFailure(400, {
          type: "invalid_request_error",
          code: refusal ?? "charge_disputed",
          message: "Refused.",
        });
      const intent = intents.get(params["payment_intent"]);
      if (!intent) throw missing("payment_intent");
      const amount = Number(params["amount"]);
      const refunded = of.reduce((sum, refund) => sum + (refund.status === "failed" ? 0 : refund.amount), 0);
      if (intent.status !== "succeeded" || refunded + amount > intent.amount_received)
        throw new StripeFailure(400, {
          type: "invalid_request_error",
          code: "charge_already_refunded",
          message: "Too much.",
        });
      const isDeclined = CARDS[methods.get(intent.payment_method ?? "")?.number ?? ""] === "refuse_refund";
      const refund: RefundRow = {
        id: id("re"),
        object: "refund",
        status: isDeclined ? "failed" : isPending ? "pending" : "succeeded",
        amount,
        payment_intent: intent.id,
        metadata: params["metadata"] ?? {},
        created: Math.floor(now().getTime() / 1000),
      };
      refunds.set(refund.id, refund);
      emit(isDeclined ? "refund.failed" : "refund.created", refund);
      return refund;
    }
    if (noun === "disputes") {
      if (!key) return { object: "list", has_more: false, data: listed(disputes, params) };
      const dispute = disputes.get(key);
      if (!dispute) throw missing("dispute");
      return dispute;
    }
    if (noun === "charges" && intents.has((key ?? "").slice(3)))
      return { id: key, object: "charge", payment_intent: (key ?? "").slice(3) };
    throw missing(path.join("/"));
  }

  /** Handles a request like Stripe: the same key returns the same response, including 500; another body is rejected. */
  function respond(method: string, path: string[], params: Params, key: string | undefined, is500: boolean) {
    const hash = JSON.stringify([method, path, params]);
    const before = key === undefined ? undefined : responsesByKey.get(key);
    if (before) {
      if (before.hash !== hash)
        return {
          status: 400,
          body: { error: { type: "idempotency_error", message: "Another request had this key." } },
        };
      return before;
    }
    let response: { status: number; body: object };
    try {
      response = { status: 200, body: structuredClone(route(method, path, params)) };
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      response = { status: error.status, body: structuredClone({ error: error.body }) };
    }
    if (is500) response = { status: 500, body: { error: { type: "api_error", message: "Something broke." } } };
    if (key !== undefined && method === "POST") responsesByKey.set(key, { hash, ...response });
    return response;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://stripe");
    const path = url.pathname.split("/").filter(Boolean).slice(1);
    const method = request.method ?? "GET";
    const about = `${method} ${[path[0], path[2]].filter(Boolean).join(" ")}`;
    calls.push(about);
    await onRequest?.();
    const params = parseForm(method === "GET" ? url.search.slice(1) : Buffer.concat(chunks).toString());
    const key = request.headers["idempotency-key"];
    const idempotencyKey = typeof key === "string" ? key : undefined;
    if (isDown) {
      if (method === "POST") delayedRequests.push(() => void respond(method, path, params, idempotencyKey, false));
      return void request.socket.destroy();
    }
    const content = troubles.length > 0 ? JSON.stringify([path, params]) : "";
    const index = troubles.findIndex((each) => each.about === about && content.includes(each.of));
    const trouble = index < 0 ? null : troubles.splice(index, 1)[0]!.trouble;
    if (typeof trouble === "object" && trouble && "delayMs" in trouble) await pause(trouble.delayMs);
    if (trouble === "cut before") return void request.socket.destroy();
    const result =
      typeof trouble === "object" && trouble && "error" in trouble
        ? { status: trouble.status, body: { error: trouble.error } }
        : trouble === "500 before"
          ? { status: 500, body: { error: { type: "api_error", message: "Not today." } } }
          : respond(method, path, params, idempotencyKey, trouble === "500 after");
    if (trouble === "cut after") return void request.socket.destroy();
    response.writeHead(result.status, { "content-type": "application/json", "request-id": id("req") });
    response.end(JSON.stringify(result.body));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  // Idle connections are never closed, or a request could be sent on one that is being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const live = (intent: Intent | undefined) => {
    if (!intent) throw new Error("no such intent");
    return intent;
  };

  return {
    url,
    intents,
    refunds,
    disputes,
    methods,
    customers,
    events,
    /** Requests, in order: "POST payment_intents capture". */
    calls,
    /** Makes the next requests of this subject fail. */
    trouble: (about: string, ...what: Trouble[]) =>
      void troubles.push(...what.map((trouble) => ({ about, trouble, of: "" }))),
    /** Makes the next request of this subject that contains `of` (a token, an intent) fail. */
    troubleOf: (of: string, about: string, trouble: Trouble) => void troubles.push({ about, trouble, of }),
    /** Removes the faults that have not occurred. */
    clearTroubles: () => void troubles.splice(0),
    /** Whether refunds are accepted, and not sent to the bank yet. */
    set pendRefunds(value: boolean) {
      isPending = value;
    },
    set down(value: boolean) {
      isDown = value;
    },
    /** Processes the requests that were sent while it was down; their responses are lost. */
    processDelayed: () => {
      for (const process of delayedRequests.splice(0)) process();
    },
    /** Work that runs before each response. */
    set onRequest(work: (() => Promise<void>) | null) {
      onRequest = work;
    },
    /** Deletes the idempotency keys, as Stripe does after 24 hours. */
    prune: () => responsesByKey.clear(),
    /** Completes a challenge, like the bank's page of `handleNextAction`. */
    answerBank(ref: string, approve: boolean) {
      const setup = setups.get(ref);
      if (setup) {
        setup.status = approve ? "succeeded" : "requires_payment_method";
        if (approve) methods.get(setup.payment_method)!.customer = setup.customer;
        return;
      }
      const intent = live(intents.get(ref));
      if (intent.status !== "requires_action") return;
      if (approve) return hold(intent);
      intent.status = "requires_payment_method";
      intent.last_payment_error = {
        type: "card_error",
        code: "payment_intent_authentication_failure",
        message: "Your bank declined.",
      };
      emit("payment_intent.payment_failed", intent);
    },
    /** Expires an authorization. */
    expire(ref: string) {
      Object.assign(live(intents.get(ref)), { status: "canceled", amount_capturable: 0 });
      emit("payment_intent.canceled", live(intents.get(ref)));
    },
    /** Captures a charge in the dashboard. */
    captureInDashboard(ref: string) {
      const intent = live(intents.get(ref));
      Object.assign(intent, { status: "succeeded", amount_received: intent.amount, amount_capturable: 0 });
      emit("payment_intent.succeeded", intent);
    },
    /** Fails a refund that had succeeded. */
    failRefund(ref: string, reason = "unknown", status: "failed" | "canceled" = "failed") {
      const refund = refunds.get(ref);
      if (!refund) throw new Error("no such refund");
      Object.assign(refund, { status, failure_reason: reason });
      emit(status === "failed" ? "refund.failed" : "refund.updated", refund);
    },
    /** Refunds in the dashboard; `status`: "pending" before the bank has it. */
    refundInDashboard(ref: string, amount: number, status = "succeeded") {
      const created = Math.floor(now().getTime() / 1000);
      const refund: RefundRow = {
        id: id("re"),
        object: "refund",
        status,
        amount,
        payment_intent: ref,
        metadata: {},
        created,
      };
      refunds.set(refund.id, refund);
      emit("refund.created", refund);
      emit("charge.refunded", { id: `ch_${ref}`, object: "charge", payment_intent: ref, amount_refunded: amount });
      return refund.id;
    },
    /** Refuses the next refunds with these error codes. */
    refuseRefunds: (...codes: string[]) => void refusals.push(...codes),
    /** A bank disputes a charge. */
    dispute(ref: string, part: Partial<DisputeRow> = {}) {
      const created = Math.floor(now().getTime() / 1000);
      const dispute: DisputeRow = {
        id: id("dp"),
        object: "dispute",
        amount: live(intents.get(ref)).amount_received,
        status: "needs_response",
        reason: "fraudulent",
        charge: `ch_${ref}`,
        payment_intent: ref,
        created,
        evidence_details: { due_by: created + 9 * 86_400 },
        ...part,
      };
      disputes.set(dispute.id, dispute);
      emit("charge.dispute.created", dispute);
      if (takes(dispute)) emit("charge.dispute.funds_withdrawn", dispute);
      return dispute.id;
    },
    /** A dispute moves on, or ends. */
    moveDispute(ref: string, status: string) {
      const dispute = disputes.get(ref);
      if (!dispute) throw new Error("no such dispute");
      dispute.status = status;
      if (status === "won") emit("charge.dispute.funds_reinstated", dispute);
      emit(
        ["won", "lost", "warning_closed"].includes(status) ? "charge.dispute.closed" : "charge.dispute.updated",
        dispute,
      );
    },
    /** Body and signature of a posted event. `at`: time of the signature. */
    signed(event: object, at: Date = now(), secret = options.webhookSecret) {
      const payload = JSON.stringify(event);
      return {
        payload,
        signature: Stripe.webhooks.generateTestHeaderString({
          payload,
          secret,
          timestamp: Math.floor(at.getTime() / 1000),
        }),
      };
    },
    /** The ledger: authorized, captured and returned cents by our key; returned by refunds and by banks. */
    ledger() {
      const back = new Map<string, number>();
      for (const { payment_intent: ref, status, amount } of refunds.values())
        if (status !== "failed" && status !== "canceled") back.set(ref, (back.get(ref) ?? 0) + amount);
      for (const dispute of disputes.values())
        if (takes(dispute)) back.set(dispute.payment_intent, (back.get(dispute.payment_intent) ?? 0) + dispute.amount);
      return [...intents.values()].map((intent) => ({
        key: intent.metadata["marketday_key"] ?? "",
        ref: intent.id,
        status: intent.status,
        heldCents: intent.amount_capturable,
        takenCents: intent.amount_received,
        backCents: back.get(intent.id) ?? 0,
      }));
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
export type FakeStripe = Awaited<ReturnType<typeof fakeStripe>>;

/** Differences between the fake's ledger and our rows, as sentences (failures.md V4). */
export function disagreements(
  fake: FakeStripe,
  payments: readonly { provider_ref: string | null; state: string; captured_cents: number; refunded_cents: number }[],
): string[] {
  const byRef = new Map(payments.map((payment) => [payment.provider_ref, payment]));
  return fake.ledger().flatMap(({ ref, status, heldCents, takenCents, backCents }) => {
    const ours = byRef.get(ref);
    const found: string[] = [];
    if (heldCents > 0 && ours?.state !== "authorized")
      found.push(`${ref} holds ${heldCents}, ours is ${ours?.state ?? "not there"}`);
    if (takenCents !== (ours?.state === "captured" ? ours.captured_cents : 0))
      found.push(`${ref} took ${takenCents}, ours is ${ours?.state ?? "not there"} with ${ours?.captured_cents ?? 0}`);
    if (backCents !== (ours?.refunded_cents ?? 0))
      found.push(`${ref} gave ${backCents} back, ours says ${ours?.refunded_cents ?? 0}`);
    if (ours?.state === "authorized" && status !== "requires_capture")
      found.push(`ours holds ${ref}, which is ${status}`);
    return found;
  });
}
