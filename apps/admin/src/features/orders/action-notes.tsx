import { marketNow, useMarketNow } from "@marketday/client/clock.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon, type IconName } from "@marketday/ui/icon/icon.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import * as t from "#messages/orders";

import { useSecondsLeft } from "../../lib/use-seconds-left.ts";
import { actionsQuery } from "../actions/api.ts";
import { type Undo, useUndo } from "../actions/use-undo.ts";
import { doneWords, heldWords } from "../actions/words.ts";
import { formatTime } from "../day/format.ts";
import { othersOf, shownActionsOf } from "./actions-of.ts";
import { orderQuery } from "./api.ts";
import { mailName } from "./history-words.ts";
import { useUndoPaid } from "./use-undo-paid.ts";

import s from "./orders.module.css";

/** What was done to a box and is held, was refused, or can be taken back: each with its Undo. */
export function ActionNotes({ order }: { order: OrderBox }) {
  const { data } = useQuery(actionsQuery);
  const undo = useUndo();
  const shown = shownActionsOf(order, data ?? []);
  useRereadAfter(order);
  if (shown.length === 0) return null;
  return (
    <ul className={s.actions} aria-label={t.actionsTitle}>
      {shown.map((action) => (
        <ActionNote key={action.id} action={action} order={order} undo={undo} />
      ))}
    </ul>
  );
}

/** The order is read again a moment after what is held is due: the event of the server may not come. */
function useRereadAfter({ id, held }: OrderBox): void {
  const client = useQueryClient();
  const due = held.map(({ dueAt }) => dueAt).find((at) => at !== null) ?? null;
  const isPending = held.length > 0;
  useEffect(() => {
    if (!isPending) return;
    const wait = due === null ? 0 : Math.max(0, Date.parse(due) - marketNow().getTime());
    const { queryKey } = orderQuery(String(id));
    let timer: ReturnType<typeof setTimeout>;
    const reread = () => {
      void client.invalidateQueries({ queryKey, exact: true });
      timer = setTimeout(reread, 3_000);
    };
    timer = setTimeout(reread, wait + 3_000);
    return () => clearTimeout(timer);
  }, [client, id, due, isPending]);
}

function ActionNote({ action, order, undo }: { action: StaffAction; order: OrderBox; undo: Undo }) {
  const left = useSecondsLeft(action.state === "held" ? action.dueAt : null);
  const now = useMarketNow();
  const ofBox = useUndoPaid(order);
  // Undo in the panel of a box takes back nothing of another one.
  const isShared = othersOf(action) > 0;
  const failure = isShared ? ofBox.failure : undo.failureOf(action.id);
  return (
    <li className={s.action} data-state={action.state}>
      <Icon name={iconOf(action)} size="sm" />
      <p>
        {wordsOf(action, left)}
        <small>
          {[action.isOwn ? null : action.by, formatTime(action.createdAt, order.hub.timeZone, now)]
            .filter(Boolean)
            .join(", ")}
        </small>
        {failure && <small role="alert">{failure}</small>}
      </p>
      {action.canUndo && (
        <Compact size="sm">
          <Button
            kind="outline"
            icon="undo"
            busy={(isShared ? ofBox.isUndoing : undo.isUndoing(action.id)) && t.undoing}
            onClick={() => (isShared ? ofBox.undo() : undo.undo(action))}
          >
            {isShared ? t.undoBox : t.undo}
          </Button>
        </Compact>
      )}
    </li>
  );
}

const iconOf = ({ state }: StaffAction): IconName =>
  state === "refused" ? "warn" : state === "done" ? "check" : "clock";

function wordsOf({ summary, state, problem, by, isOwn }: StaffAction, left: number): string {
  const isHeld = state === "held" && left > 0;
  switch (summary.kind) {
    case "cancel_order":
      return state === "refused" ? t.refusedCancel(problem ?? "") : isHeld ? t.heldCancel(left) : t.runsCancel;
    case "resend_mail": {
      const mail = t.mailNamed(mailName(summary.template));
      return state === "refused" ? t.refusedMail(problem ?? "") : isHeld ? t.heldMail(mail, left) : t.runsMail(mail);
    }
    case "mark_paid":
      return t.donePaid(formatMoney(summary.amount), isOwn ? t.you : by, othersOf({ summary }));
    case "short":
      return t.heldShort(left);
    default:
      return state === "held" ? heldWords(summary, left) : doneWords({ summary, state, problem });
  }
}
