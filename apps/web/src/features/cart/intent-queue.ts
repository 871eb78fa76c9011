import type { Cart, CartLine } from "@marketday/contracts/cart";
import { lineKey } from "@marketday/domain/cart";

import { ApiError } from "../../lib/api.ts";
import { emptyCart, type Intent, withIntents } from "./project.ts";

export interface QueueOutlets {
  /** `PUT /cart`. */
  send: (lines: CartLine[], options: { keepalive: boolean }) => Promise<Cart>;
  /** The cart as it should be seen now. */
  show: (cart: Cart) => void;
  /** The server's answer, with nothing of ours on top. */
  onAcknowledged?: (cart: Cart) => void;
  /** The server set a lower quantity than requested. */
  onCapped?: (intent: Intent, left: number) => void;
  /** The server refused; the lines are as they were before. */
  onRefused?: (error: ApiError, intents: Intent[]) => void;
  /** What is not acknowledged yet, for a copy that survives a reload; `since`: the market's time of the oldest, ms. */
  onWaiting?: (intents: Intent[], since: number) => void;
  /** The market's time, ms. */
  now: () => number;
  /** Whether the cart was ordered since: requested before anything is sent that has waited for a network or a reload. */
  wasOrdered: (since: number) => Promise<boolean>;
  /** The cart that these were tapped into has been ordered meanwhile: they are not put into the next one. */
  onLeftOver?: (intents: Intent[]) => void;
}

/** ms after the last tap. */
const PAUSE = 250;
/** ms until a lost connection is tried again: doubles from the first to the last. */
const RETRY = { first: 2000, last: 30_000 };

const keyOf = ({ variantId, bundleId }: Intent) => lineKey({ variantId, bundleId });

/**
 * Cart changes on their way. A tap shows at once; what was tapped goes out 250 ms after the last tap as absolute
 * quantities, one request at a time, and taps made meanwhile wait for the next. What is shown is always the last cart
 * the server acknowledged with everything that is not acknowledged on top, so an answer never takes back a newer tap.
 * Without a network nothing is given up; a refusal rolls back exactly what was sent.
 */
export class IntentQueue {
  /** The newest cart the server answered; null before the first. */
  private acknowledged: Cart | null = null;
  private sent = new Map<string, Intent>();
  private next = new Map<string, Intent>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  /** When the oldest of what waits was tapped. */
  private since = 0;
  /** What waits may be of a cart that was ordered meanwhile. */
  private isOld = false;
  /** It has waited through a reload, and that was not checked since. */
  private isRestored = false;
  private isInFlight = false;
  private readonly outlets: QueueOutlets;
  private readonly listeners = new Set<() => void>();

  constructor(outlets: QueueOutlets) {
    this.outlets = outlets;
  }

  /** Everything not acknowledged, the newest word on each line. */
  get waiting(): Intent[] {
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

  set(intent: Intent): void {
    if (this.waiting.length === 0) this.since = this.outlets.now();
    this.next.set(keyOf(intent), intent);
    this.changed();
    this.wait(PAUSE);
  }

  /** Intents of before a reload: shown, and sent again unless the cart was ordered since. */
  restore(intents: Intent[], since: number): void {
    if (intents.length === 0) return;
    this.since = since;
    this.isOld = true;
    this.isRestored = true;
    for (const intent of intents) if (!this.next.has(keyOf(intent))) this.next.set(keyOf(intent), intent);
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
    const waiting = this.waiting;
    if (waiting.length === 0 || this.isRestored) return;
    this.outlets.send(waiting.map(toLine), { keepalive: true }).catch(() => {
      // The page is gone; the stored copy is sent when the shopper comes back.
    });
  }

  /** Another customer is signed in: drops the pending changes of the previous one. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sent = new Map();
    this.next = new Map();
    this.outlets.onWaiting?.([], 0);
    this.notify();
  }

  private view(): Cart {
    return withIntents(this.acknowledged ?? emptyCart, this.waiting);
  }

  private changed(): void {
    this.outlets.onWaiting?.(this.waiting, this.since);
    this.outlets.show(this.view());
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
    if (this.isInFlight || this.next.size === 0) return;
    this.isInFlight = true;
    const isCurrent = !this.isOld || (await this.checkCart());
    if (!isCurrent || this.next.size === 0) {
      this.isInFlight = false;
      return this.notify();
    }
    this.sent = this.next;
    this.next = new Map();
    const sent = this.sent;
    const result = await this.outlets.send([...sent.values()].map(toLine), { keepalive: false }).catch(asApiError);
    this.isInFlight = false;
    this.sent = new Map();
    if (!(result instanceof ApiError)) this.accept(result, sent);
    else if (result.isOffline || result.status === 429) this.keepForLater(result, sent);
    else this.refuse(result, sent);
    this.flushNext();
    this.notify();
  }

  /** Whether what waits may be sent: its cart was not ordered meanwhile. */
  private async checkCart(): Promise<boolean> {
    const wasOrdered = await this.outlets.wasOrdered(this.since).catch(asApiError);
    if (wasOrdered instanceof ApiError) {
      this.keepForLater(wasOrdered, new Map());
      return false;
    }
    this.isOld = false;
    this.isRestored = false;
    if (!wasOrdered) return true;
    const leftOver = [...this.next.values()];
    this.next = new Map();
    this.failures = 0;
    this.changed();
    this.outlets.onLeftOver?.(leftOver);
    return false;
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }

  private accept(cart: Cart, sent: Map<string, Intent>): void {
    this.failures = 0;
    this.setServerCart(cart);
    this.changed();
    this.outlets.onAcknowledged?.(cart);
    for (const intent of sent.values()) {
      const line = cart.items.find(
        (item) => item.product.variant.id === intent.variantId && item.fromBundleId === intent.bundleId,
      );
      const left = line && !line.watching ? line.quantity : 0;
      if (!intent.watching && left < intent.quantity && !this.next.has(keyOf(intent)))
        this.outlets.onCapped?.(intent, left);
    }
  }

  private keepForLater(error: ApiError, sent: Map<string, Intent>): void {
    this.next = new Map([...sent, ...this.next]);
    this.failures += 1;
    this.isOld = true;
    const pause = error.retryAfter ? error.retryAfter * 1000 : RETRY.first * 2 ** (this.failures - 1);
    this.wait(Math.min(pause, Math.max(RETRY.last, (error.retryAfter ?? 0) * 1000)));
  }

  private refuse(error: ApiError, sent: Map<string, Intent>): void {
    this.failures = 0;
    this.changed();
    this.outlets.onRefused?.(error, [...sent.values()]);
  }

  /** Taps made during the flight whose own pause has already run out. */
  private flushNext(): void {
    if (this.next.size > 0 && this.timer === undefined) this.wait(0);
  }
}

const toLine = ({ productId, variantId, bundleId, quantity, watching }: Intent): CartLine => ({
  productId,
  variantId,
  quantity,
  fromBundleId: bundleId,
  ...(watching === undefined ? {} : { watching }),
});

/** A fault of our own is a refusal too: the queue must go on. */
const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(String(error), { status: 500 });
