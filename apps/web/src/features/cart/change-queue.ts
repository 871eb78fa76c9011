import { isSamePerson } from "@marketday/client/storage.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { Cart, CartLine } from "@marketday/contracts/cart";
import { lineKey } from "@marketday/domain/cart";

import { emptyCart, type CartChange, itemKey, type Pending, withChanges } from "./project.ts";

export interface QueueCallbacks {
  /** `PUT /cart`, by the person who made the changes, and with the cart that they saw. */
  send: (lines: CartLine[], of: Pick<Pending, "customerId" | "seen">, options: { keepalive: boolean }) => Promise<Cart>;
  /** The cart as it should be seen now. */
  show: (cart: Cart) => void;
  /** The server's answer, with nothing of ours on top. */
  onAcknowledged?: (cart: Cart) => void;
  /** The server set a lower quantity than requested. */
  onCapped?: (change: CartChange, left: number) => void;
  /** The server refused; the lines are as they were before. */
  onRefused?: (error: ApiError, changes: CartChange[]) => void;
  /** What is not acknowledged yet, for a copy that survives a reload. */
  onWaiting?: (pending: Pending[]) => void;
  /** Who is here, as far as this page knows. */
  customerId: () => number | string | null;
  /** The session is someone else's than this page knows. */
  onOtherCustomer?: () => void;
  /** The cart that these were tapped into has been ordered meanwhile: they are not put into the next one. */
  onLeftOver?: (changes: Pending[]) => void;
}

/** ms after the last tap. */
const PAUSE = 250;
/** ms until a lost connection is tried again: doubles from the first to the last. */
const RETRY = { first: 2000, last: 30_000 };

const keyOf = ({ variantId, bundleId }: CartChange) => lineKey({ variantId, bundleId });

/**
 * Cart changes on their way. A tap shows at once; what was tapped goes out 250 ms after the last tap as absolute
 * quantities, one request at a time, and taps made meanwhile wait for the next. What is shown is always the last cart
 * the server acknowledged with everything that is not acknowledged on top, so an answer never takes back a newer tap.
 * Without a network nothing is given up; a refusal rolls back exactly what was sent.
 */
export class ChangeQueue {
  /** The newest cart the server answered; null before the first. */
  private acknowledged: Cart | null = null;
  private sent = new Map<string, Pending>();
  private next = new Map<string, Pending>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private isInFlight = false;
  private readonly callbacks: QueueCallbacks;
  private readonly listeners = new Set<() => void>();

  constructor(callbacks: QueueCallbacks) {
    this.callbacks = callbacks;
  }

  /** Everything not acknowledged, the newest word on each line. */
  get waiting(): Pending[] {
    return [...new Map([...this.sent, ...this.next]).values()];
  }

  get isIdle(): boolean {
    return !this.isInFlight && this.next.size === 0;
  }

  /** The last request got no answer; it is sent again. */
  get isFailing(): boolean {
    return this.failures > 0;
  }

  /** Runs when `isIdle` or `isFailing` may have changed. Returns what stops it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /**
   * Takes a cart from the server (a read, another tab) and answers how it should be seen. One older than what is known of
   * the same cart came late and is ignored.
   */
  setServerCart(cart: Cart): Cart {
    const known = this.acknowledged;
    const isLate = known !== null && known.id === cart.id && cart.revision < known.revision;
    if (!isLate) this.acknowledged = cart;
    return this.view();
  }

  set(change: CartChange): void {
    const key = keyOf(change);
    // A quantity counts from the one that is shown: of a change that waits already, or of the cart that is known.
    const before = this.next.get(key) ?? this.sent.get(key);
    const { id, revision } = this.acknowledged ?? emptyCart;
    const seen = id === null ? null : { id, revision };
    this.next.set(key, {
      ...change,
      customerId: before?.customerId ?? this.callbacks.customerId(),
      seen: before ? before.seen : seen,
      from: before ? before.from : this.boughtOf(key),
    });
    this.changed();
    this.wait(PAUSE);
  }

  /** Changes of before a reload: shown, and sent again. */
  restore(pending: Pending[]): void {
    if (pending.length === 0) return;
    for (const change of pending) if (!this.next.has(keyOf(change))) this.next.set(keyOf(change), change);
    // Without a cart to show them in they appear with the first one that is read.
    if (this.acknowledged) this.changed();
    this.wait(0);
  }

  /** The network is back: now rather than after the pause. */
  resume(): void {
    if (this.next.size > 0) this.wait(0);
  }

  /** The page is being left: whatever is not acknowledged goes out once more in a request that outlives it. */
  flushOnLeave(): void {
    this.dropOthers();
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.send(waiting, true).catch(() => {
      // The page is gone; the stored copy is sent when the shopper comes back.
    });
  }

  /** Another customer is signed in: drops the pending changes of the previous one. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sent = new Map();
    this.next = new Map();
    this.callbacks.onWaiting?.([]);
    this.notify();
  }

  /** The quantity of a line in the cart that is known. */
  private boughtOf(key: string): number {
    const line = this.acknowledged?.items.find((item) => itemKey(item) === key);
    return line && !line.watching ? line.quantity : 0;
  }

  private view(): Cart {
    return withChanges(this.acknowledged ?? emptyCart, this.waiting);
  }

  private changed(): void {
    this.callbacks.onWaiting?.(this.waiting);
    this.callbacks.show(this.view());
    this.notify();
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, ms);
  }

  private async flush(): Promise<void> {
    if (this.isInFlight) return;
    this.dropOthers();
    if (this.next.size === 0) return;
    this.isInFlight = true;
    this.sent = this.next;
    this.next = new Map();
    const { sent } = this;
    const result = await this.send([...sent.values()], false).catch(asApiError);
    this.isInFlight = false;
    // Another customer is signed in, whose page this is not.
    if (this.sent !== sent) return this.notify();
    this.sent = new Map();
    if (!(result instanceof ApiError)) this.accept(result, sent);
    else if (result.isOffline || result.status === 429) this.keepForLater(result, sent);
    else if (result.code === "other_customer") {
      this.keepForLater(result, sent);
      this.callbacks.onOtherCustomer?.();
    } else if (result.code === "cart_ordered") this.leaveOver(result, sent);
    else this.refuse(result, sent);
    this.flushNext();
    this.notify();
  }

  private send(changes: Pending[], keepalive: boolean): Promise<Cart> {
    const [first] = changes;
    const { id } = this.acknowledged ?? emptyCart;
    // The oldest view of this cart; the guest's cart of before a login is no longer there. While none is known, the server compares.
    const [seen] = changes
      .flatMap((change) => (change.seen && (id === null || change.seen.id === id) ? [change.seen] : []))
      .toSorted((a, b) => a.revision - b.revision);
    const customerId = this.callbacks.customerId() ?? first?.customerId ?? null;
    return this.callbacks.send(changes.map(toLine), { customerId, seen: seen ?? null }, { keepalive });
  }

  /** Removes what someone made who is not here any more. */
  private dropOthers(): void {
    const now = this.callbacks.customerId();
    const before = this.next.size;
    for (const [key, { customerId }] of this.next)
      if (now !== null && customerId !== null && !isSamePerson(customerId, now)) this.next.delete(key);
    if (this.next.size < before) this.changed();
  }

  /** The cart was ordered: what was tapped into it before is offered, what was tapped into the next one is sent again. */
  private leaveOver(error: ApiError, sent: Map<string, Pending>): void {
    const ordered = Number(error.details["revision"] ?? Infinity);
    const isOld = ({ seen }: Pending) => seen !== null && seen.revision < ordered;
    // With what was tapped during the flight, which saw no newer cart.
    const changes = new Map([...sent, ...this.next]);
    const leftOver = [...changes.values()].filter(isOld);
    if (leftOver.length === 0) return this.refuse(error, sent);
    this.failures = 0;
    this.next = new Map([...changes].filter(([, change]) => !isOld(change)));
    this.changed();
    this.callbacks.onLeftOver?.(leftOver);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }

  private accept(cart: Cart, sent: Map<string, Pending>): void {
    this.failures = 0;
    this.setServerCart(cart);
    for (const [key, change] of this.next)
      if (sent.has(key)) this.next.set(key, { ...change, from: this.boughtOf(key) });
    this.changed();
    this.callbacks.onAcknowledged?.(cart);
    for (const [key, change] of sent) {
      const left = this.boughtOf(key);
      if (!change.watching && left < change.quantity && !this.next.has(key)) this.callbacks.onCapped?.(change, left);
    }
  }

  private keepForLater(error: ApiError, sent: Map<string, Pending>): void {
    this.next = new Map([...sent, ...this.next]);
    this.failures += 1;
    const pause = error.retryAfter ? error.retryAfter * 1000 : RETRY.first * 2 ** (this.failures - 1);
    this.wait(Math.min(pause, Math.max(RETRY.last, (error.retryAfter ?? 0) * 1000)));
  }

  private refuse(error: ApiError, sent: Map<string, Pending>): void {
    this.failures = 0;
    this.changed();
    this.callbacks.onRefused?.(error, [...sent.values()]);
  }

  /** Taps made during the flight whose own pause has already run out. */
  private flushNext(): void {
    if (this.next.size > 0 && this.timer === undefined) this.wait(0);
  }
}

const toLine = ({ productId, variantId, bundleId, quantity, watching }: CartChange): CartLine => ({
  productId,
  variantId,
  quantity,
  fromBundleId: bundleId,
  ...(watching === undefined ? {} : { watching }),
});

/** A fault of our own is a refusal too: the queue must go on. */
const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(String(error), { status: 500 });
