import { useMarketNow } from "@marketday/client/clock.ts";
import { Pips } from "@marketday/ui/admin/pips.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { type KeyboardEvent, useState } from "react";

import * as t from "#messages/shorts";

import { useCan } from "../session/api.ts";
import type { BoxShare } from "./count-form.ts";
import { formatPlaced } from "./format.ts";

import s from "./share-table.module.css";

interface ShareTableProps {
  boxes: readonly BoxShare[];
  hubId: number;
  zone: string;
  /** The money is that of these shares. */
  isCurrent: boolean;
  /** Changes what a box gets; without it, the shares are only read. */
  onAdjust?: ((boxId: number, by: number) => void) | undefined;
}

/** Keys that move the focus from row to row. */
const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
const steps: Record<string, number> = { "-": -1, "−": -1, "+": 1, "=": 1 };

/** The boxes of an item, the oldest first: what each ordered, gets and is refunded. − and + change the row that has the focus. */
export function ShareTable({ boxes, hubId, zone, isCurrent, onAdjust }: ShareTableProps) {
  // Names are hidden from a role without the permission, and empty of an account that was deleted.
  const noName = useCan("people.read", hubId) ? t.deletedAccount : t.hidden;
  const nameOf = ({ name, tote }: BoxShare): string => t.rowName(name || noName, tote);
  const [focused, setFocused] = useState<number | null>(null);
  const at = Math.max(
    boxes.findIndex(({ boxId }) => boxId === focused),
    0,
  );
  const adjust = (box: BoxShare, by: number) => {
    const gets = Math.max(0, Math.min(box.ordered, box.gets + by));
    if (!onAdjust || gets === box.gets) return;
    announce(t.getsNow(nameOf(box), gets));
    onAdjust(box.boxId, by);
  };
  const press = (event: KeyboardEvent<HTMLTableRowElement>, index: number, box: BoxShare) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const by = steps[event.key];
    const move = moves[event.key];
    if (by !== undefined && onAdjust) adjust(box, by);
    else if (move !== undefined && event.target === event.currentTarget) {
      const rows = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>(":scope > tr");
      rows?.[Math.max(0, Math.min(boxes.length - 1, index + move))]?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <div className={s.frame}>
      <table className={s.table} aria-label={t.boxes} data-dim={isCurrent ? undefined : ""}>
        <thead>
          <tr>
            <th scope="col" className={s.toteColumn}>
              {t.tote}
            </th>
            <th scope="col">{t.customer}</th>
            <th scope="col" className={s.placedColumn} aria-sort="ascending">
              {t.placed}
              <Icon name="up" size="sm" />
            </th>
            <th scope="col" className={s.pipsColumn}>
              {t.orderedHead}
            </th>
            <th scope="col" className={s.getsColumn}>
              {t.gets}
            </th>
            <th scope="col" className={s.refundColumn}>
              {t.refund}
            </th>
          </tr>
        </thead>
        <tbody>
          {boxes.map((box, index) => (
            <tr
              key={box.boxId}
              data-loses={box.gets < box.ordered ? "" : undefined}
              {...(onAdjust && {
                tabIndex: index === at ? 0 : -1,
                onFocus: () => setFocused(box.boxId),
                onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => press(event, index, box),
              })}
            >
              <Cells
                box={box}
                name={box.name || noName}
                label={nameOf(box)}
                zone={zone}
                onAdjust={onAdjust && ((by) => adjust(box, by))}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellsProps {
  box: BoxShare;
  name: string;
  /** With the tote. */
  label: string;
  zone: string;
  onAdjust: ((by: number) => void) | undefined;
}

function Cells({ box, name, label, zone, onAdjust }: CellsProps) {
  const now = useMarketNow();
  const { tote, placedAt, isSubscription, ordered, gets } = box;
  return (
    <>
      <td className={s.tote}>{tote === null ? t.noTote : <ToteTag number={tote} />}</td>
      <td className={s.name}>
        <b>{name}</b>
      </td>
      <td className={s.placed}>
        {formatPlaced(placedAt, zone, now)}
        {isSubscription && (
          <>
            <Icon name="again" size="sm" />
            <VisuallyHidden>{t.subscription}</VisuallyHidden>
          </>
        )}
      </td>
      <td className={s.pips}>
        <Pips of={ordered} came={gets} />
        <VisuallyHidden>{t.unitsOrdered(ordered)}</VisuallyHidden>
      </td>
      <td className={s.gets}>
        {onAdjust ? (
          <span className={s.stepper} role="group" aria-label={label}>
            <button
              type="button"
              tabIndex={-1}
              aria-label={t.giveLess(label)}
              aria-disabled={gets === 0 || undefined}
              onClick={() => onAdjust(-1)}
            >
              <Icon name="minus" size="sm" />
            </button>
            <b>{gets}</b>
            <button
              type="button"
              tabIndex={-1}
              aria-label={t.giveMore(label)}
              aria-disabled={gets === ordered || undefined}
              onClick={() => onAdjust(1)}
            >
              <Icon name="plus" size="sm" />
            </button>
          </span>
        ) : (
          <b>{gets}</b>
        )}
      </td>
      <td className={s.refund}>
        <Refund box={box} />
      </td>
    </>
  );
}

function Refund({ box: { money, cardName, gets, ordered } }: { box: BoxShare }) {
  const parts: [number, string][] =
    money === null || gets === ordered
      ? []
      : [
          [money.card, cardName ?? t.toCard],
          [money.credit, t.toCredit],
          [money.door, t.atDoor],
          [money.uncharged, t.notCharged],
          [money.bank, t.byBank],
          [money.earlier, t.earlier],
        ];
  const shown = parts.filter(([amount]) => amount !== 0);
  if (shown.length === 0)
    return (
      <>
        <span aria-hidden="true">{t.nothingBack}</span>
        <VisuallyHidden>{t.nothingBackWords}</VisuallyHidden>
      </>
    );
  return shown.map(([amount, where]) => (
    <span key={where} className={s.part}>
      <b className={s.money}>{formatMoney(amount)}</b> {where}
    </span>
  ));
}
