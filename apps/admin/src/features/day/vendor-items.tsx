import { messageOf } from "@marketday/client/messages.ts";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/day";

import { paths } from "../../lib/paths.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { type Shortage, shortsQuery } from "../shorts/api.ts";
import type { Vendor } from "./use-arrivals.ts";

import s from "./vendors.module.css";

const MARKS = { counted: "due", held: "now", settled: "ok" } as const;

interface VendorItemsProps {
  /** Slug. */
  hub: string;
  date: string;
  vendor: Pick<Vendor, "slug" | "name">;
}

/** The items that a vendor brings for a day, each with its shortage or a way to count one. Needs `orders.adjust`. */
export function VendorItems({ hub, date, vendor }: VendorItemsProps) {
  const { data, error, refetch } = useQuery(shortsQuery(hub, date));
  const { to } = useHubFilter();
  if (!data)
    return error ? (
      <ErrorState message={t.itemsFailed} onRetry={() => void refetch()}>
        {messageOf(error)}
      </ErrorState>
    ) : (
      <Skeleton label={t.loadingItems}>
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  const items = data.items.filter((item) => item.vendor.slug === vendor.slug);
  if (items.length === 0) return <p>{t.noItems}</p>;
  // To settle first, then the newest: the first one of an item is what is known of it.
  const shortageOf = (variantId: number) => data.shortages.find((shortage) => shortage.variantId === variantId);
  return (
    <ul className={s.items} aria-label={t.itemsOf(vendor.name)}>
      {items.map(({ variantId, title, ordered }) => {
        const shortage = shortageOf(variantId);
        return (
          <li key={variantId} className={s.item}>
            <b className={s.number}>{shortage ? t.cameOf(shortage.came, shortage.of) : ordered}</b>
            <span className={s.itemTitle}>{title}</span>
            <Link
              to={to(paths.shorts(hub, date, variantId))}
              className={s.link}
              aria-label={
                shortage
                  ? t.shortageOf(title, shortage.came, shortage.of, t.shortageStates[shortage.state])
                  : t.fewerCameOf(title)
              }
            >
              {shortage ? <ShortageMark state={shortage.state} /> : t.fewerCame}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const ShortageMark = ({ state }: Pick<Shortage, "state">) => (
  <StatusMark shape={MARKS[state]}>{t.shortageStates[state]}</StatusMark>
);
