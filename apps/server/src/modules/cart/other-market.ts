import { formatOtherMarket } from "@marketday/domain/home-delivery";

import type { HubDirectory } from "../hubs/directory.ts";
import type { CartLineRow } from "./store.ts";

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

/** The other market that most lines are from; null when there is none, or when it is not published. */
export function findOtherMarket(
  directory: HubDirectory,
  lines: readonly CartLineRow[],
  hubId: number | null,
  isAccount: boolean,
): OtherMarket | null {
  const own = hubId === null ? undefined : directory.byId(hubId);
  if (!own) return null;
  const byHub = Map.groupBy(lines, ({ hub_id }) => hub_id);
  const [largest] = [...byHub]
    .filter(([id]) => id !== null && id !== hubId && directory.byId(id) !== undefined)
    .toSorted(([, a], [, b]) => b.length - a.length);
  if (!largest) return null;
  const [id, from] = largest;
  const other = directory.byId(id!)!;
  const isUndecided = from.some(({ is_published }) => is_published);
  const words = { name: other.name, ownName: own.name, isAccount, isUndecided };
  return {
    id: other.id,
    name: other.name,
    ownName: own.name,
    ...formatOtherMarket({ ...words, lines: from.length, otherLines: lines.length - from.length }),
    isUndecided,
    lines: new Set(from.map(({ id }) => id)),
  };
}
