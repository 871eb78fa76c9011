import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import type { Cart } from "@marketday/contracts/cart";
import { lineKey } from "@marketday/domain/cart";
import { dismissToast, toast } from "@marketday/ui/toast-store.ts";

import { call } from "../../lib/api.ts";
import { keepLeftOvers, type LeftOver, leftOvers } from "./left-over.ts";
import { type CartChange, itemKey, type Pending } from "./project.ts";

/** Whether the market still sells it. True without an answer: the server decides when it is added. */
async function isSold({ productId, variantId, watching }: Pending): Promise<boolean> {
  try {
    const { variants } = await call(calls.getProduct, { params: { id: String(productId) }, querystring: {} });
    return variants.some(({ id, inventory }) => id === variantId && (inventory > 0 || watching === true));
  } catch (error) {
    return !(error instanceof ApiError) || error.status !== 404;
  }
}

/** How many more it was than in the cart that was ordered. */
const moreOf = ({ quantity, from }: Pending) => quantity - from;
const wordsOf = (change: Pending) => `${moreOf(change) > 1 ? `${moreOf(change)} × ` : ""}${change.item.product.title}`;

/** The cart of the page. */
interface ShownCart {
  /** Shows one that the server answered. */
  show: (cart: Cart) => void;
  shown: () => Cart | undefined;
  /** Sets a line to a quantity. */
  set: (change: CartChange) => void;
}

/** The present cart; null: it is unknown. Not by its query: a tap meanwhile cancels that, and would count as one of before. */
async function readCart({ show }: ShownCart): Promise<Cart | null> {
  const cart = await call(calls.getCart).catch(() => null);
  if (cart) show(cart);
  return cart;
}

let offer: number | null = null;

/**
 * Offers what was tapped into an ordered cart for the next one. The offer is kept in the tab until it is taken or closed; it ends
 * when the delivery it was first made for is closed, and for each product when the market does not sell it any more.
 */
export async function offerLeftOvers(page: ShownCart): Promise<void> {
  const [cart, sold] = await Promise.all([
    readCart(page),
    Promise.all(leftOvers().map(async ({ change }) => ((await isSold(change)) ? [] : [lineKey(change)]))),
  ]);
  const gone = new Set(sold.flat());
  const day = cart?.deliveryDate ?? null;
  const isValid = ({ change, deliveryDate }: LeftOver) =>
    !gone.has(lineKey(change)) && (deliveryDate === null || day === null || deliveryDate === day);
  // Read again: there may be more by now. The last tap on a line counts.
  const byLine = new Map(leftOvers().map((leftOver) => [lineKey(leftOver.change), leftOver]));
  const offered = [...byLine.values()].filter(isValid);
  keepLeftOvers(offered.map((leftOver) => ({ ...leftOver, deliveryDate: leftOver.deliveryDate ?? day })));
  if (offer !== null) dismissToast(offer);
  if (offered.length === 0) return;
  offer = toast({
    text: `Not saved: ${offered.map(({ change }) => wordsOf(change)).join(", ")}. Your last cart was ordered.`,
    tone: "error",
    action: {
      label: "Add",
      run: () => {
        const taken = leftOvers();
        keepLeftOvers([]);
        const items = page.shown()?.items ?? [];
        for (const { change } of taken) {
          const line = items.find((item) => itemKey(item) === lineKey(change) && !item.watching);
          page.set({ ...change, quantity: (line?.quantity ?? 0) + moreOf(change) });
        }
      },
    },
    onClose: () => keepLeftOvers([]),
  });
}
