import type { CartItem } from "@marketday/contracts/cart";
import { splitItems } from "@marketday/domain/cart";
import { useEffect, useRef, useState } from "react";

import { nameOf } from "../products/format.ts";
import { CartLine, RemovedLine } from "./cart-line.tsx";
import { itemKey } from "./project.ts";
import { useCartActions } from "./use-cart.ts";

import s from "./cart-panel.module.css";

/** How long a removed line can be brought back, ms. */
const UNDO = 5000;

interface Removed {
  item: CartItem;
  /** The key of the line it stood below; null at the top. */
  below: string | null;
}

const groups = [
  { id: "active", title: null },
  { id: "preorders", title: "Preorders" },
  { id: "watching", title: "Watching" },
] as const;

/** The lines in their groups (spec §2.4 Cart): active ones, pre-orders, watched ones. */
export function CartLines({ items }: { items: CartItem[] }) {
  const { setItem } = useCartActions();
  const [removed, setRemoved] = useState<Removed[]>([]);
  /** When a placeholder goes, by its line. */
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach((timer) => clearTimeout(timer));
  }, []);

  const forget = (key: string) => setRemoved((all) => all.filter(({ item }) => itemKey(item) !== key));
  const change = (item: CartItem, quantity: number, below: string | null) => {
    if (quantity === 0) {
      setRemoved((all) => [...all.filter((one) => itemKey(one.item) !== itemKey(item)), { item, below }]);
      const key = itemKey(item);
      clearTimeout(timers.current.get(key));
      timers.current.set(
        key,
        setTimeout(() => forget(key), UNDO),
      );
    }
    setItem(item, quantity);
  };

  const split = splitItems(items);
  // A line that is back (Undo, another tab, a refusal) needs no placeholder.
  const gone = removed.filter(({ item }) => !items.some((one) => itemKey(one) === itemKey(item)));
  const goneGroups = splitItems(gone.map(({ item }) => item));

  return groups.map(({ id, title }) => {
    const lines = withRemoved(
      split[id],
      gone.filter(({ item }) => goneGroups[id].includes(item)),
    );
    if (lines.length === 0) return null;
    return (
      <section key={id} aria-label={title ?? "Items"}>
        {title && <h3 className={s.group}>{title}</h3>}
        <ul className={s.lines}>
          {lines.map(({ item, isGone, below }) => (
            <li key={itemKey(item)}>
              {isGone ? (
                <RemovedLine
                  title={nameOf(item.product.title, item.product.variant)}
                  onUndo={() => setItem(item, item.quantity)}
                />
              ) : (
                <CartLine item={item} onChange={(quantity) => change(item, quantity, below)} />
              )}
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

interface Place {
  item: CartItem;
  isGone: boolean;
  below: string | null;
}

/** The lines with the removed ones where they stood. */
function withRemoved(items: CartItem[], removed: Removed[]): Place[] {
  const places: Place[] = items.map((item) => ({ item, isGone: false, below: null }));
  for (const { item, below } of removed) {
    const at = below === null ? 0 : places.findIndex((place) => itemKey(place.item) === below) + 1;
    places.splice(at, 0, { item, isGone: true, below });
  }
  return places.map((place, index) => ({
    ...place,
    below: places[index - 1] ? itemKey(places[index - 1]!.item) : null,
  }));
}
