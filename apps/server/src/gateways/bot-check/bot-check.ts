/** A puzzle as altcha's own words have it: signed, so that only ours are taken. */
interface Challenge {
  parameters: {
    algorithm: string;
    nonce: string;
    salt: string;
    cost: number;
    keyLength: number;
    keyPrefix: string;
    [extra: string]: unknown;
  };
  signature: string;
}

/** A token that was good. The caller writes `once` down until `expiresAt`, so that it opens one door only. */
export interface Proof {
  once: string;
  expiresAt: Date;
}

/** Tells people from machines (spec §7.12): our own proof of work, or Turnstile (docs/product.md §12). */
export interface BotCheck {
  name: "proof-of-work" | "turnstile";
  /** A new puzzle; null where the browser gets its token elsewhere. */
  challenge(now: Date): Promise<Challenge | null>;
  /** Null: no proof, or too old. Throws 503 `bot_check_down` when it could not be found out (failures.md E5). */
  verify(token: string, now: Date, ip: string): Promise<Proof | null>;
}
