import { useMarketNow } from "@marketday/client/clock.ts";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { type ReactNode, useId } from "react";

import * as t from "#messages/shorts";

import { paths } from "../../lib/paths.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import type { DayShorts } from "./api.ts";
import { formatTime } from "./format.ts";
import { Countdown, UndoButton } from "./held-note.tsx";
import type { ListEntry, ListGroups } from "./list-entries.ts";
import type { ShortWrites } from "./use-short-writes.ts";

import s from "./short-list.module.css";

interface ShortListProps {
  day: DayShorts;
  /** Slug or id, as in the address. */
  hub: string;
  groups: ListGroups;
  /** The item that is open beside it. */
  openId: number | null;
  /** Why something was not saved or settled, by item. */
  failures: ShortWrites["failures"];
  /** Under those that are to be settled. */
  afterToSettle?: ReactNode;
}

/** The shortages of a day: to settle, being settled with what is left of a minute, settled. */
export function ShortList({ groups, afterToSettle, ...rows }: ShortListProps) {
  const { toSettle, held, settled } = groups;
  const sections: [string, readonly ListEntry[], ReactNode][] = [
    [rows.day.isFrozen ? t.toSettle : t.counted, toSettle, afterToSettle],
    [t.held, held, null],
    [t.settled, settled, null],
  ];
  return sections
    .filter(([, entries]) => entries.length > 0)
    .map(([heading, entries, after]) => (
      <Group key={heading} heading={heading} entries={entries} {...rows}>
        {after}
      </Group>
    ));
}

interface GroupProps extends Omit<ShortListProps, "groups" | "afterToSettle"> {
  heading: string;
  entries: readonly ListEntry[];
  children: ReactNode;
}

function Group({ heading, entries, day, hub, openId, failures, children }: GroupProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={s.heading}>
        {heading}
      </h2>
      <ul>
        {entries.map((entry) => (
          <Row
            key={entry.key}
            entry={entry}
            day={day}
            hub={hub}
            isOpen={entry.opens && entry.variantId === openId}
            hasFailed={Boolean(failures[entry.variantId])}
          />
        ))}
      </ul>
      {children}
    </section>
  );
}

/** The id of a row's link, which takes the focus when one comes back to the list. */
export const rowId = (variantId: number): string => `short-${variantId}`;

interface RowProps {
  entry: ListEntry;
  day: DayShorts;
  hub: string;
  isOpen: boolean;
  /** It was to be saved or settled, and was not. */
  hasFailed: boolean;
}

function Row({ entry, day, hub, isOpen, hasFailed }: RowProps) {
  const { to } = useHubFilter();
  const { shortage, item, title, came, of, variantId } = entry;
  const action = shortage?.state === "held" ? shortage.action : null;
  return (
    <li className={s.row} data-settled={shortage?.state === "settled" ? "" : undefined}>
      <Link
        id={entry.opens ? rowId(variantId) : undefined}
        to={to(paths.shorts(hub, day.day, variantId))}
        className={s.link}
        aria-current={isOpen || undefined}
      >
        <span className={s.picture}>
          <Picture picture={item?.image} alt="" sizes="44px" />
        </span>
        <span className={s.words}>
          <b>{title}</b>
          {item && (
            <small>
              <VendorMark id={item.vendor.id} name={item.vendor.name} />
            </small>
          )}
        </span>
        <span className={s.number}>
          <strong>{t.cameOf(came, of)}</strong>
          <small>
            <Note entry={entry} day={day} hasFailed={hasFailed} />
          </small>
        </span>
      </Link>
      {action && (
        <div className={s.held}>
          {action.dueAt && <Countdown dueAt={action.dueAt} />}
          {action.canUndo && <UndoButton action={action} title={title} />}
        </div>
      )}
    </li>
  );
}

type NoteProps = Pick<RowProps, "entry" | "day" | "hasFailed">;

/** The line under the numbers: what is left to do, or who did it. */
function Note({ entry: { shortage, hasDraft, came, item }, day, hasFailed }: NoteProps) {
  const now = useMarketNow();
  if (hasFailed && (!shortage || shortage.state === "counted")) return t.seeWhy;
  if (hasDraft) return shortage ? t.changed : t.notSaved;
  if (!shortage) return null;
  const { action, settledAt, state } = shortage;
  if (state === "settled" && settledAt) {
    const time = formatTime(settledAt, day.hub.timeZone, now);
    const name = shortage.settledBy ?? action?.by;
    return name ? t.byAt(name, time) : time;
  }
  if (state === "held") return action?.by ?? null;
  if (action?.state === "refused") return t.wasRefused;
  if (!day.isFrozen && typeof came === "number") return t.sellsNoMore(came);
  return item ? t.boxCount(item.boxes) : null;
}
