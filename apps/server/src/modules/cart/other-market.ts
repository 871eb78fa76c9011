import { formatOtherMarket } from "@marketday/domain/home-delivery";

import type { HubDirectory } from "../hubs/directory.ts";
import type { CartLineRow } from "./cart-sql.ts";

/** The market that lines of a cart were chosen in, where it is not the shopper's (docs/product.md §3 "Market of a session"). */
export interface OtherMarket {
  id: number;
  name: string;
  ownName: string;
  title: string;
  body: string;
  /** The shopper's market sells some of these lines too: it is not known where they are wanted. */
  isUndecided: boolean;
  /** Ids of the lines. */
  lines: ReadonlySet<number>;
}

/**
 * Whether it is not known where a line is wanted: it was chosen in another market, which is published, and the shopper's sells it
 * too. Automatic orders leave it alone, subscriptions apart.
 */
export const isUndecided = (
  directory: HubDirectory,
  { hub_id: id, is_published: isSold }: Pick<CartLineRow, "hub_id" | "is_published">,
  hubId: number,
): boolean => isSold && id !== null && id !== hubId && directory.byId(id) !== undefined;

/** The other market that most lines are from, one with undecided lines first; null when there is none, or when it is not published. */
export function findOtherMarket(
  directory: HubDirectory,
  lines: readonly CartLineRow[],
  hubId: number | null,
  isAccount: boolean,
): OtherMarket | null {
  const own = hubId === null ? undefined : directory.byId(hubId);
  if (!own) return null;
  const byHub = Map.groupBy(lines, ({ hub_id }) => hub_id);
  const [first] = [...byHub]
    .flatMap(([id, from]) => {
      const other = id === null || id === own.id ? undefined : directory.byId(id);
      return other ? [{ other, from, hasUndecided: from.some((line) => isUndecided(directory, line, own.id)) }] : [];
    })
    .toSorted((a, b) => Number(b.hasUndecided) - Number(a.hasUndecided) || b.from.length - a.from.length);
  if (!first) return null;
  const { other, from, hasUndecided } = first;
  const words = { name: other.name, ownName: own.name, isAccount, isUndecided: hasUndecided };
  return {
    id: other.id,
    name: other.name,
    ownName: own.name,
    ...formatOtherMarket({ ...words, lines: from.length, otherLines: lines.length - from.length }),
    isUndecided: hasUndecided,
    lines: new Set(from.map(({ id }) => id)),
  };
}
