import { useMarketNow } from "@marketday/client/clock.ts";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { ToteTag } from "@marketday/ui/admin/tote-tag.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";

import * as t from "#messages/door";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { formatClockOn } from "../day/format.ts";
import type { DoorBox } from "./api.ts";
import { formatBox, formatName } from "./format.ts";
import { useUndoBox } from "./use-undo-box.ts";

import s from "./door.module.css";

interface DueRowProps {
  box: DoorBox;
  isTicked: boolean;
  /** Others of its list were recorded: it is what is left. */
  isLeft: boolean;
  /** It is the one of the list that the Tab key goes to. */
  isCurrent: boolean;
  /** Nothing can be ticked now. */
  isLocked: boolean;
  /** Its payment was undone here: the focus was on its button. */
  takesFocus: boolean;
  onFocus: () => void;
  onTick: (isTicked: boolean) => void;
}

/** A box to collect money for, with its tick; the whole row is the target. */
export function DueRow({ box, isTicked, isLeft, isCurrent, isLocked, takesFocus, onFocus, onTick }: DueRowProps) {
  const input = useRef<HTMLInputElement>(null);
  const focus = useEffectEvent(() => {
    if (takesFocus && document.activeElement === document.body) input.current?.focus();
  });
  useEffect(() => focus(), []);
  return (
    <li className={s.row} data-ticked={isTicked ? "" : undefined}>
      <label className={s.face}>
        <input
          ref={input}
          type="checkbox"
          className={s.tick}
          checked={isTicked}
          aria-disabled={isLocked || undefined}
          aria-label={t.boxLabel(formatBox(box), formatName(box), box.amount)}
          tabIndex={isCurrent ? 0 : -1}
          data-box={box.orderId}
          onFocus={onFocus}
          onChange={(event) => {
            if (!isLocked) onTick(event.target.checked);
          }}
        />
        <BoxFace box={box}>
          {box.isDeclined ? (
            <StatusMark shape="late">{t.declined}</StatusMark>
          ) : isLeft ? (
            <StatusMark shape="due">{t.owes(box.amount)}</StatusMark>
          ) : (
            <StatusMark shape="ahead" quiet>
              {t.toCollect}
            </StatusMark>
          )}
        </BoxFace>
      </label>
    </li>
  );
}

interface PaidRowProps {
  box: DoorBox;
  /** As in the address. */
  hub: string;
  date: string;
  zone: string;
  onUndo: () => void;
}

/** A box whose money was recorded: by whom, when, and its undo. */
export function PaidRow({ box, hub, date, zone, onUndo }: PaidRowProps) {
  const now = useMarketNow();
  const { undo, isUndoing, failure } = useUndoBox(hub, date);
  const { paidAt, paidBy } = box;
  return (
    <li className={s.row} data-paid="">
      <div className={s.face}>
        <span className={s.noTick} />
        <BoxFace box={box}>
          <StatusMark shape="ok" quiet>
            {paidAt !== null && paidBy !== null ? t.paidBy(paidBy, formatClockOn(paidAt, zone, now)) : t.paid}
          </StatusMark>
        </BoxFace>
        <span className={s.undo}>
          <Compact size="sm">
            <Button
              kind="quiet"
              busy={isUndoing && t.undoing}
              aria-label={t.undoOf(`${formatBox(box)}, ${formatName(box)}`)}
              onClick={() => {
                onUndo();
                undo(box);
              }}
            >
              {t.undo}
            </Button>
          </Compact>
        </span>
      </div>
      {failure !== null && (
        <p className={s.rowFailure} role="alert">
          {failure}
        </p>
      )}
    </li>
  );
}

const BoxFace = ({ box, children }: { box: DoorBox; children: ReactNode }) => (
  <>
    <span className={s.tote}>
      {box.tote === null ? (
        <span className={s.number}>{formatOrderNumber(box.orderId)}</span>
      ) : (
        <ToteTag number={box.tote} />
      )}
    </span>
    <span className={s.name}>{formatName(box)}</span>
    <span className={s.place}>
      {[box.stop !== null && t.stop(box.stop), box.place].filter(Boolean).join(" · ")}
      {box.elsewhere > 0 && <small className={s.elsewhere}>{t.elsewhere(box.elsewhere)}</small>}
    </span>
    <span className={s.amount} translate="no">
      {formatMoney(box.amount)}
    </span>
    <span className={s.state}>{children}</span>
  </>
);
