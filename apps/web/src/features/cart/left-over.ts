import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import type { Pending } from "./project.ts";

/** A tap into a cart that was ordered before it was saved. */
export interface LeftOver {
  change: Pending;
  /** The delivery it is offered for, "2026-11-30"; null: not offered yet. */
  deliveryDate: string | null;
}

const NAME = "cart-left-over";

/** Those of this tab that were neither added to the next cart nor declined, oldest first. */
export const leftOvers = (): LeftOver[] => getItem<LeftOver[]>("session", NAME) ?? [];

/** Keeps these, in place of those before. */
export const keepLeftOvers = (next: LeftOver[]): void =>
  next.length > 0 ? setItem("session", NAME, next) : removeItem("session", NAME);
