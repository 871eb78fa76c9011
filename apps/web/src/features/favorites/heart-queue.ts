export interface HeartCallbacks {
  /** `POST` or `DELETE /products/{id}/favorite`; answers what the server has now. */
  send: (productId: number, on: boolean) => Promise<boolean>;
  /** The server has this now. */
  onAcknowledged: (productId: number, on: boolean) => void;
  /** The server refused, and the heart is what it was before. */
  onRefused: (productId: number, on: boolean, error: unknown) => void;
}

interface Flight {
  wanted: boolean;
  acknowledged: boolean;
}

/**
 * Hearts on their way. A tap shows at once; one request at a time goes out for each product, and what was tapped
 * meanwhile follows it: the last tap wins, and a refusal goes back to what the server has.
 */
export class HeartQueue {
  private flights = new Map<number, Flight>();
  private listeners = new Set<() => void>();
  private readonly callbacks: HeartCallbacks;

  constructor(callbacks: HeartCallbacks) {
    this.callbacks = callbacks;
  }

  /** What the shopper wants of a product that is on its way; undefined when nothing is. */
  wanted = (productId: number): boolean | undefined => this.flights.get(productId)?.wanted;

  /** `was`: what the server had, as far as is known. */
  set(productId: number, on: boolean, was: boolean): void {
    const flight = this.flights.get(productId);
    if (flight) flight.wanted = on;
    else {
      const started = { wanted: on, acknowledged: was };
      this.flights.set(productId, started);
      void this.send(productId, started);
    }
    this.notify();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  private async send(productId: number, flight: Flight): Promise<void> {
    while (flight.wanted !== flight.acknowledged) {
      const sent = flight.wanted;
      try {
        flight.acknowledged = await this.callbacks.send(productId, sent);
        this.callbacks.onAcknowledged(productId, flight.acknowledged);
        // A response that differs from the request is the server's final state.
        if (flight.acknowledged !== sent && flight.wanted === sent) break;
      } catch (error) {
        if (flight.wanted !== sent) continue;
        this.flights.delete(productId);
        this.notify();
        this.callbacks.onRefused(productId, sent, error);
        return;
      }
    }
    this.flights.delete(productId);
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
