import { marketNow } from "@marketday/client/clock.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import { Second } from "@marketday/domain/time";
import { ActionToast, ActionToasts } from "@marketday/ui/admin/action-toast.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import * as t from "#messages/actions";

import { getItem, setItem } from "../../lib/storage.ts";
import { useSecondsLeft } from "../../lib/use-seconds-left.ts";
import { useCan } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { actionsQuery } from "./api.ts";
import { closedKey, countdownOf, findLast, RESULT_MS, shownActions, UNDO_MS } from "./shown-actions.ts";
import { type Undo, useUndo } from "./use-undo.ts";
import { aboutWords, doneWords, heldWords, pathOf } from "./words.ts";

/** Between two reads while an action's time is over and its result is not known, ms: a page without its stream would not learn of it. */
const OVERDUE_READ_MS = 3 * Second.ms;
const NONE: readonly StaffAction[] = [];

/** In this browser, which refused actions the person has closed. */
const CLOSED = "closed-actions";

const isPending = ({ state }: StaffAction): boolean => state === "held" || state === "running";
const isOverdue = (action: StaffAction): boolean =>
  action.isOwn && isPending(action) && (action.dueAt === null || Date.parse(action.dueAt) <= marketNow().getTime());

/** What has been announced in this page, by `closedKey`. */
const announced = new Set<string>();
function announceOnce(action: StaffAction, words: string): void {
  const key = closedKey(action);
  if (announced.has(key)) return;
  announced.add(key);
  announce(words, action.state === "refused");
}

/**
 * What the person has done, over every screen: how long it is held, what became of it, its Undo. It follows the server, so that it is in
 * each of their tabs and there again after a reload. `isHidden`: the recent changes are open, which have all of it.
 */
export function OwnActions({ isHidden }: { isHidden: boolean }) {
  const [readsOrders, moderates] = [useCan("orders.read"), useCan("moderation.write")];
  const { data: actions = NONE } = useQuery({
    ...actionsQuery,
    enabled: readsOrders || moderates,
    refetchInterval: ({ state }) => (state.data?.some(isOverdue) ? OVERDUE_READ_MS : false),
  });
  const [watched, setWatched] = useState<ReadonlySet<number>>(new Set());
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set(getItem<string[]>("local", CLOSED)));
  const [areAllShown, setAllShown] = useState(false);
  const undo = useUndo();
  const [mounted, setMounted] = useState<ReadonlySet<number>>(new Set());
  const shown = shownActions({ actions, now: marketNow(), watched, closed, mounted });
  const unwatched = shown.filter(({ id, state }) => state !== "refused" && !watched.has(id));
  if (unwatched.length > 0) setWatched(new Set([...watched, ...unwatched.map(({ id }) => id)]));

  const last = findLast(shown);
  useShortcuts(
    last
      ? [
          {
            keys: "u",
            label: t.undoLast,
            run: ({ repeat }) => {
              if (!repeat) undo.undo(last);
            },
          },
        ]
      : [],
    true,
  );

  const close = (action: StaffAction) => {
    undo.clearFailure(action.id);
    const keys = new Set([...closed, closedKey(action)]);
    setClosed(keys);
    const refused = actions.filter(({ state }) => state === "refused").map(closedKey);
    setItem(
      "local",
      CLOSED,
      refused.filter((key) => keys.has(key)),
    );
  };
  // What went wrong is never behind "and 2 more".
  const isAlways = ({ id, state }: StaffAction) => state === "refused" || undo.failureOf(id) !== undefined;
  const newest = shown.find((action) => !isAlways(action));
  const first = areAllShown ? shown : shown.filter((action) => action === newest || isAlways(action));
  const rest = shown.length - first.length;
  const toasts = isHidden ? [] : first.map(({ id }) => id);
  if (toasts.length !== mounted.size || toasts.some((id) => !mounted.has(id))) setMounted(new Set(toasts));
  if (isHidden || shown.length === 0) return null;
  return (
    <ActionToasts
      label={t.own}
      more={
        rest > 0 || (areAllShown && shown.length > 1)
          ? {
              label: areAllShown ? t.fewer : t.more(rest),
              isOpen: areAllShown,
              onToggle: () => setAllShown(!areAllShown),
            }
          : undefined
      }
    >
      {first.map((action) => (
        <OwnAction
          key={action.id}
          action={action}
          undo={undo}
          isNamed={shown.length > 1}
          onClose={() => close(action)}
        />
      ))}
    </ActionToasts>
  );
}

interface OwnActionProps {
  action: StaffAction;
  undo: Undo;
  /** With what it is about: there are others. */
  isNamed: boolean;
  onClose: () => void;
}

function OwnAction({ action, undo, isNamed, onClose }: OwnActionProps) {
  const { to } = useHubFilter();
  const { id, state, summary, canUndo } = action;
  const countdown = countdownOf(action, useSecondsLeft(state === "held" ? action.dueAt : null));
  const failure = undo.failureOf(id);
  const title = isPending(action) ? heldWords(summary, countdown?.left ?? 0) : doneWords(action);
  const isError = state === "refused" || failure !== undefined;
  // Once, when it appears and when it is over: the seconds are not announced.
  useEffect(() => {
    announceOnce(action, state === "held" ? t.heldAnnouncement(title) : title);
  });
  const atOnce = state === "done" && canUndo;
  return (
    <ActionToast
      title={failure ?? title}
      detail={failure !== undefined ? title : isNamed || state === "refused" ? aboutWords(summary) : undefined}
      tone={isError ? "error" : "plain"}
      countdown={isError ? undefined : (countdown ?? undefined)}
      icon={isError ? "warn" : state === "running" ? "clock" : state === "undone" ? "undo" : "check"}
      action={
        canUndo
          ? {
              label: t.undo,
              icon: "undo",
              busy: undo.isUndoing(id) && t.undoing,
              onRun: () => undo.undo(action),
            }
          : undefined
      }
      link={isError ? <Link to={to(pathOf(action))}>{t.show}</Link> : undefined}
      closesAfter={isPending(action) || isError || undo.isUndoing(id) ? undefined : atOnce ? UNDO_MS : RESULT_MS}
      onClose={onClose}
    />
  );
}
