import type { ApiError } from "@marketday/client/transport.ts";
import type { CartItem } from "@marketday/contracts/cart";
import type { Quote } from "@marketday/contracts/checkout";

import { addressControl } from "../../features/account/address.ts";
import type { PlaceOutcome } from "../../features/checkout/place.ts";
import { nameOf } from "../../features/products/format.ts";
import { messages } from "../../lib/messages.ts";
import { pickupControl } from "./draft.ts";

/** A line that is not there as wanted. */
export interface ShortItem {
  variantId: number;
  title: string;
  wanted: number;
  left: number;
}

/** What a refused order means for the page. */
export type Refusal =
  | { kind: "sold_out"; message: string; items: ShortItem[] }
  | { kind: "total_changed"; message: string; quote: Quote | null }
  /** Another tab or device has changed the market: the page is of the one before. */
  | { kind: "market_changed"; message: string }
  | { kind: "cart_empty"; message: string; orderId: number | null }
  | { kind: "field"; step: "delivery"; field: string; message: string }
  | { kind: "error"; title: string | null; message: string };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function shortItems(value: unknown, lines: readonly CartItem[]): ShortItem[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(({ variantId, wanted, left }) => {
    const line = lines.find(({ product }) => product.variant.id === variantId);
    const title = line ? nameOf(line.product.title, line.product.variant) : "One of your items";
    return { variantId: Number(variantId), title, wanted: Number(wanted ?? 0), left: Number(left ?? 0) };
  });
}

/** Reads a refusal of `POST /checkout` (docs/product.md §7). `lines` give sold-out variants their names. */
export function refusalOf(error: ApiError, lines: readonly CartItem[]): Refusal {
  const { code, message, details, status } = error;
  const field = typeof details["field"] === "string" ? details["field"] : "";
  if (code === "sold_out") return { kind: "sold_out", message, items: shortItems(details["items"], lines) };
  if (code === "market_changed") return { kind: code, message };
  if (code === "total_changed" || code === "cart_changed")
    return {
      kind: "total_changed",
      message,
      quote: isRecord(details["quote"]) ? (details["quote"] as unknown as Quote) : null,
    };
  const orderId = typeof details["orderId"] === "number" ? details["orderId"] : null;
  // Paid in another tab, which may have taken the place of this one.
  if (code === "cart_empty" || (code === "superseded" && orderId !== null))
    return { kind: "cart_empty", message, orderId };
  if (field.startsWith("deliveryAddress")) {
    const name = field.split(".")[1];
    const known =
      name === "city" || name === "state" || name === "zipCode" || name === "address2" || name === "instructions";
    return { kind: "field", step: "delivery", field: addressControl(known ? name : "address"), message };
  }
  if (field === "pickupPointId") return { kind: "field", step: "delivery", field: pickupControl, message };
  return { kind: "error", title: status === 402 ? "The payment did not go through" : null, message };
}

/** What a try that placed nothing, as far as is known, means for the page. */
export const failureOf = (outcome: Extract<PlaceOutcome, { error: unknown }>, lines: readonly CartItem[]): Refusal =>
  outcome.kind === "unknown"
    ? { kind: "error", title: null, message: `${messages.network} Your order is placed and charged at most once.` }
    : refusalOf(outcome.error, lines);
