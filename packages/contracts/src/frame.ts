/**
 * The messages from a frame to the app: those of spec §4 Checkout frame messages, and `busy` and `idle`, when a payment starts and
 * ends (docs/product.md §7 Frames). An order's id goes as a number or as digits; nothing else is understood (failures.md H11).
 */
const FRAME_WORDS = ["close-without-refresh", "close-with-refresh", "customer-logged-in", "busy", "idle"] as const;
export type FrameWord = (typeof FRAME_WORDS)[number];
export type FrameMessage = { kind: FrameWord } | { kind: "order"; orderId: number };

const ORDER_ID = /^[1-9]\d{0,15}$/;

/** Reads a message's `data`; null when it is not a message of our frames. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data === "number")
    return ORDER_ID.test(String(data)) && Number.isSafeInteger(data) ? { kind: "order", orderId: data } : null;
  if (typeof data !== "string" || data.length > 32) return null;
  const word = FRAME_WORDS.find((candidate) => candidate === data);
  if (word) return { kind: word };
  return ORDER_ID.test(data) && Number.isSafeInteger(Number(data)) ? { kind: "order", orderId: Number(data) } : null;
}
