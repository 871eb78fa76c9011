/** A puzzle in altcha's format, signed so that only ours are accepted. */
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

/** A valid token. The caller stores `once` until `expiresAt`, so that it is used only once. */
export interface Proof {
  once: string;
  expiresAt: Date;
}

/** Check against bots (spec §7.12): built-in proof of work, or Turnstile (docs/product.md §12). */
export interface BotCheck {
  name: "proof-of-work" | "turnstile";
  /** A new puzzle; null when the browser gets its token from another service. */
  challenge(now: Date): Promise<Challenge | null>;
  /** Null: invalid or expired token. Throws 503 `bot_check_down` when it could not be verified (failures.md E5). */
  verify(token: string, now: Date, ip: string): Promise<Proof | null>;
}
