import { ApiError } from "@marketday/client/transport.ts";
import type { Cart, CartItem, CartLine } from "@marketday/contracts/cart";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ChangeQueue } from "./change-queue.ts";
import { emptyCart, withChanges, type CartChange, type Pending } from "./project.ts";

const item = (variantId: number, quantity: number, price = 5, bundleId: number | null = null): CartItem => ({
  id: variantId,
  quantity,
  price,
  subscription_interval: null,
  watching: false,
  isPublished: true,
  fromBundleId: bundleId,
  vendor: { id: 1, slug: "farm", name: "Farm", city: "", state: "IN", avatar: null },
  product: {
    id: variantId * 10,
    slug: `p${variantId}`,
    title: `Product ${variantId}`,
    images: [],
    variant: { id: variantId, title: "", size: "", inventory: 20, price, salePrice: null, preOrderDate: null },
  },
  discount: null,
});
const change = (variantId: number, quantity: number, more: Partial<CartChange> = {}): CartChange => ({
  productId: variantId * 10,
  variantId,
  bundleId: null,
  quantity,
  item: item(variantId, quantity),
  ...more,
});
const pending = (variantId: number, quantity: number): Pending => ({
  ...change(variantId, quantity),
  customerId: 1,
  seen: null,
  from: 0,
});
const cartOf = (...items: CartItem[]): Cart => withChanges({ ...emptyCart, items }, [change(999, 0)]);

interface Flight {
  lines: CartLine[];
  of: Pick<Pending, "customerId" | "seen">;
  keepalive: boolean;
  answer: (cart: Cart) => void;
  fail: (error: ApiError) => void;
}

/** A queue over a server that answers when the test says so. */
function start(cart: Cart = emptyCart) {
  const flights: Flight[] = [];
  let shown = cart;
  const callbacks = { capped: vi.fn(), refused: vi.fn(), waiting: vi.fn(), leftOver: vi.fn(), other: vi.fn() };
  const session: { customerId: Pending["customerId"] } = { customerId: 1 };
  const queue = new ChangeQueue({
    send: (lines, of, { keepalive }) =>
      new Promise<Cart>((answer, fail) => {
        flights.push({ lines, of, keepalive, answer, fail });
      }),
    show: (next) => {
      shown = next;
    },
    customerId: () => session.customerId,
    onOtherCustomer: callbacks.other,
    onLeftOver: callbacks.leftOver,
    onCapped: callbacks.capped,
    onRefused: callbacks.refused,
    onWaiting: callbacks.waiting,
  });
  queue.setServerCart(cart);
  const quantities = () =>
    Object.fromEntries(shown.items.map(({ product, quantity }) => [product.variant.id, quantity]));
  const flight = (index: number): Flight => {
    const found = flights[index];
    if (!found) throw new Error(`No request ${index}, only ${flights.length}`);
    return found;
  };
  return { queue, flights, flight, callbacks, session, quantities, shown: () => shown };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a tap shows at once and goes out 250 ms after the last one", { tags: ["spec:7.4-02"] }, async () => {
  const { queue, flights, flight, quantities } = start();
  queue.set(change(1, 1));
  expect(quantities()).toEqual({ 1: 1 });
  await pass(249);
  queue.set(change(1, 2));
  await pass(249);
  expect(flights).toHaveLength(0);
  await pass(1);
  expect(flight(0).lines).toEqual([{ productId: 10, variantId: 1, quantity: 2, fromBundleId: null }]);
});

test("12 taps on 4 tiles with a slow server end exact, in 2 requests, and never flicker back", async () => {
  const { queue, flights, flight, quantities } = start();
  const seen: number[] = [];
  for (let tap = 1; tap <= 12; tap++) {
    const tile = ((tap - 1) % 4) + 1;
    queue.set(change(tile, Math.ceil(tap / 4)));
    seen.push(quantities()[1] ?? 0);
    await pass(tap === 6 ? 300 : 50);
  }
  expect(seen).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
  expect(flights).toHaveLength(1);
  const answered = flight(0).lines.map(({ variantId, quantity }) => item(variantId, quantity));
  flight(0).answer(cartOf(...answered));
  await pass(250);
  expect(quantities()).toEqual({ 1: 3, 2: 3, 3: 3, 4: 3 });
  expect(flights).toHaveLength(2);
  flight(1).answer(cartOf(item(1, 3), item(2, 3), item(3, 3), item(4, 3)));
  await pass(5000);
  expect(quantities()).toEqual({ 1: 3, 2: 3, 3: 3, 4: 3 });
  expect(flights).toHaveLength(2);
  expect(queue.isIdle).toBe(true);
});

test("quantity 0 removes the line", { tags: ["spec:7.4-02"] }, async () => {
  const { queue, flight, quantities } = start(cartOf(item(1, 2), item(2, 1)));
  queue.set(change(1, 0));
  expect(quantities()).toEqual({ 2: 1 });
  await pass(250);
  expect(flight(0).lines[0]).toMatchObject({ variantId: 1, quantity: 0 });
});

test("subtotals follow the tap, with the discount of the last answer", () => {
  const { queue, shown } = start({
    ...cartOf(item(1, 2, 6.5)),
    discounts: [{ quantity: 1, code: "TWO", amount: 2, reason: "Welcome", forCartItemId: null }],
  });
  queue.set(change(1, 3));
  expect(shown()).toMatchObject({ subtotalBeforeDiscounts: 19.5, subtotal: 17.5 });
});

test("a watched line counts nothing", () => {
  const { queue, shown } = start(cartOf(item(1, 1, 4)));
  queue.set(change(2, 1, { watching: true }));
  expect(shown()).toMatchObject({ subtotal: 4 });
  expect(shown().items.at(-1)).toMatchObject({ watching: true, quantity: 1 });
});

test("cart queue: what is bought of a watched line counts from none", async () => {
  const { queue, flight, callbacks } = start(revised(3, { ...item(1, 1), watching: true }));
  queue.set(change(1, 2, { watching: false }));
  await pass(250);
  flight(0).fail(ordered(5));
  await pass(0);
  expect(callbacks.leftOver.mock.lastCall?.[0]).toMatchObject([{ variantId: 1, quantity: 2, from: 0 }]);
});

test("one variant alone and in a bundle are two lines", { tags: ["fail:A2"] }, () => {
  const { queue, shown } = start(cartOf(item(1, 1, 5, 77)));
  queue.set(change(1, 2));
  expect(shown().items.map(({ fromBundleId, quantity }) => [fromBundleId, quantity])).toEqual([
    [77, 1],
    [null, 2],
  ]);
});

test("the server's stock wins, and the shopper is notified", async () => {
  const { queue, flight, callbacks, quantities } = start();
  queue.set(change(1, 9));
  await pass(250);
  flight(0).answer(cartOf(item(1, 3)));
  await pass(0);
  expect(quantities()).toEqual({ 1: 3 });
  expect(callbacks.capped).toHaveBeenCalledWith(expect.objectContaining({ variantId: 1, quantity: 9 }), 3);
});

test("a refusal rolls back what was sent and keeps what was tapped since", async () => {
  const { queue, flight, callbacks, quantities } = start(cartOf(item(1, 1)));
  queue.set(change(1, 5));
  await pass(250);
  queue.set(change(2, 1));
  flight(0).fail(new ApiError("Not sold here.", { status: 422 }));
  await pass(0);
  expect(quantities()).toEqual({ 1: 1, 2: 1 });
  expect(callbacks.refused.mock.calls[0]?.[1]).toMatchObject([{ variantId: 1, quantity: 5 }]);
  await pass(250);
  expect(flight(1).lines).toMatchObject([{ variantId: 2, quantity: 1 }]);
});

test("without a network nothing is lost: kept, tried again, and sent at once when it is back", async () => {
  const { queue, flights, flight, callbacks, quantities } = start();
  queue.set(change(1, 2));
  await pass(250);
  flight(0).fail(new ApiError("offline"));
  await pass(0);
  expect(quantities()).toEqual({ 1: 2 });
  expect(callbacks.refused).not.toHaveBeenCalled();
  queue.set(change(2, 1));
  await pass(250);
  flight(1).fail(new ApiError("offline"));
  await pass(0);
  queue.resume();
  await pass(0);
  expect(flights).toHaveLength(3);
  expect(flight(2).lines).toMatchObject([
    { variantId: 1, quantity: 2 },
    { variantId: 2, quantity: 1 },
  ]);
});

test("too many tries waits as long as the server asks", async () => {
  const { queue, flights, flight } = start();
  queue.set(change(1, 1));
  await pass(250);
  flight(0).fail(new ApiError("Too many tries. Please wait a minute.", { status: 429, retryAfter: 60 }));
  await pass(59_999);
  expect(flights).toHaveLength(1);
  await pass(1);
  expect(flights).toHaveLength(2);
});

test("what is not acknowledged is handed out to be kept over a reload, and sent again after it", async () => {
  const before = start();
  before.queue.set(change(1, 4));
  const kept = before.callbacks.waiting.mock.lastCall?.[0] as Pending[];
  const after = start(cartOf(item(2, 1)));
  after.queue.restore(kept);
  expect(after.queue.setServerCart(cartOf(item(2, 1))).items).toHaveLength(2);
  await pass(0);
  expect(after.flight(0).lines).toMatchObject([{ variantId: 1, quantity: 4 }]);
  after.flight(0).answer(cartOf(item(2, 1), item(1, 4)));
  await pass(0);
  expect(after.callbacks.waiting).toHaveBeenLastCalledWith([]);
});

test("leaving the page sends what is in the air and what waits, in one request that outlives it", async () => {
  const { queue, flights, flight } = start();
  queue.set(change(1, 1));
  await pass(250);
  queue.set(change(2, 3));
  queue.flushOnLeave();
  expect(flight(1)).toMatchObject({ keepalive: true, lines: [{ variantId: 1 }, { variantId: 2, quantity: 3 }] });
  expect(flights).toHaveLength(2);
});

const offline = () => new ApiError("no network");

test(
  "cart queue: without a network it asks again after 2, 4, 8, 16, then every 30 s, and after an answer after 2 s",
  { tags: ["fail:M10"] },
  async () => {
    const { queue, flights, flight } = start();
    queue.set(change(1, 1));
    await pass(250);
    for (const pause of [2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const sent = flights.length;
      flight(sent - 1).fail(offline());
      await pass(pause - 1);
      expect(flights, `before ${pause} ms`).toHaveLength(sent);
      await pass(1);
      expect(flights, `after ${pause} ms`).toHaveLength(sent + 1);
    }
    expect(queue.isFailing).toBe(true);
    flight(flights.length - 1).answer(cartOf(item(1, 1)));
    await pass(0);
    expect(queue.isFailing).toBe(false);

    queue.set(change(1, 2));
    await pass(250);
    const sent = flights.length;
    flight(sent - 1).fail(offline());
    await pass(1999);
    expect(flights).toHaveLength(sent);
    await pass(1);
    expect(flights).toHaveLength(sent + 1);
  },
);

test("cart queue: a refusal counts as an answer, the next pause is 2 s again", async () => {
  const { queue, flights, flight } = start();
  queue.set(change(1, 1));
  await pass(250);
  flight(0).fail(offline());
  await pass(2000);
  flight(1).fail(new ApiError("no", { status: 422 }));
  await pass(0);
  queue.set(change(1, 2));
  await pass(250);
  flight(2).fail(offline());
  await pass(1999);
  expect(flights).toHaveLength(3);
  await pass(1);
  expect(flights).toHaveLength(4);
});

test("cart queue: a busy server says how long to wait, also longer than 30 s", async () => {
  const { queue, flights, flight } = start();
  queue.set(change(1, 1));
  await pass(250);
  flight(0).fail(new ApiError("busy", { status: 429, retryAfter: 45 }));
  await pass(44_999);
  expect(flights).toHaveLength(1);
  await pass(1);
  expect(flights).toHaveLength(2);
});

test("cart queue: what one person tapped is not sent after another signed in", { tags: ["fail:M8"] }, async () => {
  const { queue, flights, callbacks } = start();
  queue.set(change(1, 1));
  queue.drop();
  await pass(60_000);
  queue.flushOnLeave();
  expect(flights).toHaveLength(0);
  expect(callbacks.waiting).toHaveBeenLastCalledWith([]);
});

const revised = (revision: number, ...items: CartItem[]): Cart => ({ ...cartOf(...items), id: 5, revision });

test("cart queue: a late answer about an older cart never replaces a newer one", { tags: ["fail:M8"] }, async () => {
  const { queue, flight, quantities } = start(revised(1, item(1, 1)));
  queue.set(change(2, 1));
  await pass(250);
  // Another tab was answered first, by the newer cart.
  queue.setServerCart(revised(3, item(1, 2), item(2, 1)));
  flight(0).answer(revised(2, item(1, 1), item(2, 1)));
  await pass(0);
  expect(quantities()).toEqual({ 1: 2, 2: 1 });
});

test("cart queue: a cart read or broadcast late is ignored, another cart is not", { tags: ["fail:M8"] }, () => {
  const { queue } = start(revised(7, item(1, 2)));
  expect(queue.setServerCart(revised(6, item(1, 1))).items[0]?.quantity).toBe(2);
  expect(queue.setServerCart(revised(7, item(1, 3))).items[0]?.quantity).toBe(3);
  // Signing in leads to the account's own cart, whose revision says nothing about the guest's.
  expect(queue.setServerCart({ ...revised(1, item(1, 9)), id: 4 }).items[0]?.quantity).toBe(9);
});

test("cart queue: taps of before a reload are shown again at once", async () => {
  const { queue, flights, quantities } = start(cartOf(item(1, 1)));
  queue.restore([pending(1, 3), pending(2, 1)]);
  expect(quantities()).toEqual({ 1: 3, 2: 1 });
  await pass(0);
  expect(flights).toHaveLength(1);
});

const seenAt = (revision: number) => ({ id: 5, revision });
const ordered = (revision: number) =>
  new ApiError("Ordered.", { status: 409, details: { code: "cart_ordered", revision } });

test("cart queue: changes are sent with who made them and the oldest cart that they saw", async () => {
  const { queue, flight } = start(revised(3, item(1, 1)));
  queue.set(change(1, 2));
  queue.setServerCart(revised(4, item(1, 1), item(2, 1)));
  queue.set(change(2, 2));
  // Counts from a quantity that waits, so from the cart which that one saw.
  queue.set(change(1, 3));
  await pass(250);
  expect(flight(0).of).toEqual({ customerId: 1, seen: seenAt(3) });
  flight(0).answer(revised(5, item(1, 3), item(2, 2)));
  queue.set(change(2, 3));
  await pass(250);
  expect(flight(1).of).toEqual({ customerId: 1, seen: seenAt(4) });
});

test(
  "cart queue: taps into a cart that was ordered meanwhile are offered, those into the next one are sent again",
  { tags: ["fail:M8"] },
  async () => {
    const { queue, flights, flight, callbacks, quantities } = start(revised(3, item(1, 1)));
    queue.set(change(1, 2));
    queue.setServerCart(revised(6, item(2, 1)));
    queue.set(change(2, 2));
    await pass(250);
    flight(0).fail(ordered(5));
    await pass(0);
    expect(callbacks.leftOver.mock.calls).toMatchObject([[[{ variantId: 1, quantity: 2 }]]]);
    expect(callbacks.refused).not.toHaveBeenCalled();
    expect(flight(1)).toMatchObject({ lines: [{ variantId: 2, quantity: 2 }], of: { seen: seenAt(6) } });
    flight(1).answer(revised(7, item(2, 2)));
    await pass(0);
    expect(quantities()).toEqual({ 2: 2 });
    // Added after all: a tap of now.
    queue.set(change(1, 2));
    await pass(250);
    expect(flights[2]).toMatchObject({ lines: [{ variantId: 1, quantity: 2 }], of: { seen: seenAt(7) } });
  },
);

test("cart queue: what is tapped while the refused request is on its way is offered with it, each from the quantity that was ordered", async () => {
  const { queue, flight, callbacks, quantities } = start(revised(3, item(1, 2)));
  queue.set(change(1, 3));
  await pass(250);
  queue.set(change(1, 4));
  flight(0).answer(revised(4, item(1, 3)));
  await pass(250);
  queue.set(change(1, 6));
  queue.set(change(2, 1));
  flight(1).fail(ordered(5));
  await pass(0);
  expect(callbacks.leftOver).toHaveBeenCalledOnce();
  expect(callbacks.leftOver.mock.lastCall?.[0]).toMatchObject([
    { variantId: 1, quantity: 6, from: 3 },
    { variantId: 2, quantity: 1, from: 0 },
  ]);
  expect(quantities()).toEqual({ 1: 3 });
  expect(queue.isIdle).toBe(true);
});

test("cart queue: taps of before a reload that are sent before any cart was read name the cart that they saw", async () => {
  const { queue, flight } = start();
  queue.restore([{ ...pending(1, 3), seen: seenAt(2) }]);
  await pass(0);
  expect(flight(0).of.seen).toEqual(seenAt(2));
});

test("cart queue: taps of before a reload are sent with the cart that they saw", async () => {
  const { queue, flight, callbacks, quantities } = start(revised(6, item(2, 1)));
  queue.restore([{ ...pending(1, 3), seen: seenAt(2) }]);
  expect(quantities()).toEqual({ 2: 1, 1: 3 });
  await pass(0);
  expect(flight(0).of.seen).toEqual(seenAt(2));
  flight(0).fail(ordered(5));
  await pass(0);
  expect(quantities()).toEqual({ 2: 1 });
  expect(callbacks.leftOver).toHaveBeenCalledOnce();
  expect(queue.isIdle).toBe(true);
});

test(
  "cart queue: a session of someone else: it is looked up who is here, and nothing that another person tapped is sent",
  { tags: ["fail:M8"] },
  async () => {
    const { queue, flights, flight, callbacks, session, quantities } = start(revised(3, item(1, 1)));
    queue.set(change(1, 2));
    await pass(250);
    flight(0).fail(new ApiError("Someone else.", { status: 409, details: { code: "other_customer" } }));
    await pass(0);
    expect(callbacks.other).toHaveBeenCalledOnce();
    session.customerId = 2;
    await pass(60_000);
    expect(flights).toHaveLength(1);
    expect(quantities()).toEqual({ 1: 1 });
    expect(callbacks.waiting).toHaveBeenLastCalledWith([]);
    expect(queue.isIdle).toBe(true);
  },
);

test(
  "cart queue: what a guest tapped is sent as the customer that the guest became",
  { tags: ["fail:M8"] },
  async () => {
    const { queue, flight, session } = start(revised(3, item(1, 1)));
    session.customerId = "5d4ef1b0-8d7b-4b8b-9b51-4c5f0f0f2a11";
    queue.set(change(1, 2));
    session.customerId = 2;
    queue.setServerCart({ ...revised(0), id: 8 });
    await pass(250);
    expect(flight(0).of).toEqual({ customerId: 2, seen: null });
  },
);

test("cart queue: a tap made while a request is on its way that then is lost: the newer quantity is sent again", async () => {
  const { queue, flight, quantities } = start();
  queue.set(change(1, 1));
  queue.set(change(2, 1));
  await pass(250);
  queue.set(change(1, 3));
  flight(0).fail(offline());
  await pass(2000);
  expect(quantities()).toEqual({ 1: 3, 2: 1 });
  expect(flight(1).lines.map(({ variantId, quantity }) => [variantId, quantity])).toEqual([
    [1, 3],
    [2, 1],
  ]);
});

test("cart queue: what a guest tapped is sent after they signed in", { tags: ["fail:M8"] }, async () => {
  const { queue, flight, session } = start();
  session.customerId = "guest-1";
  queue.set(change(1, 2));
  session.customerId = 7;
  await pass(250);
  expect(flight(0)).toMatchObject({ lines: [{ variantId: 1, quantity: 2 }], of: { customerId: 7 } });
});

test("cart queue: leaving the page sends nothing of a person who is not here any more", { tags: ["fail:M8"] }, () => {
  const { queue, flights, session } = start();
  queue.set(change(1, 2));
  session.customerId = 2;
  queue.flushOnLeave();
  expect(flights).toEqual([]);
});

test("cart queue: a product that is only watched is no product that sold out", async () => {
  const { queue, flight, callbacks } = start();
  queue.set(change(1, 1, { watching: true }));
  await pass(250);
  flight(0).answer(cartOf({ ...item(1, 1), watching: true }));
  await pass(0);
  expect(callbacks.capped).not.toHaveBeenCalled();
});

test("cart queue: a quantity that the stock did not have is not reported once another was tapped", async () => {
  const { queue, flight, callbacks } = start();
  queue.set(change(1, 9));
  await pass(250);
  queue.set(change(1, 2));
  flight(0).answer(cartOf(item(1, 3)));
  await pass(0);
  expect(callbacks.capped).not.toHaveBeenCalled();
  await pass(250);
  expect(flight(1).lines).toMatchObject([{ variantId: 1, quantity: 2 }]);
});

test("cart: what the market does not sell any more counts nothing after a tap on another line", () => {
  const cart = withChanges({ ...emptyCart, items: [{ ...item(1, 2), isPublished: false }] }, [change(2, 1)]);
  expect(cart.subtotal).toBe(5);
});
