import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/shorts";

import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { type DayShorts, planQuery } from "./api.ts";
import { countOf, formOf, parseCame } from "./count-form.ts";
import type { ListEntry } from "./list-entries.ts";
import type { Drafts } from "./use-drafts.ts";
import type { ShortWrites } from "./use-short-writes.ts";

import s from "./settle-all.module.css";

/** The id of the button. */
export const SETTLE_ALL_ID = "short-settle-all";

const NO_SHORTCUTS: readonly Shortcut[] = [];

interface SettleAllProps {
  day: DayShorts;
  /** At least two. */
  entries: readonly ListEntry[];
  drafts: Drafts;
  writes: ShortWrites;
  /** The items that were not settled; why is in `writes.failures`. */
  onDone: (failed: readonly number[]) => void;
}

/** Settles every shortage of the list, each as an action that can be undone alone. Those that cannot be settled as they are stay. */
export function SettleAll({ day, entries, drafts, writes, onDone }: SettleAllProps) {
  const edits = entries.flatMap((entry) => editOf(entry, drafts));
  const plans = useQueries({
    queries: edits.map(({ item, form, came }) => {
      const { reason: _reason, ...count } = countOf(item, form, came);
      return planQuery(day.hub.slug, day.day, count);
    }),
  });
  const isLoading = plans.some(({ isLoading: one }) => one);
  const ready = edits.flatMap((edit, place) => {
    const plan = plans[place];
    return plan?.data?.money && !plan.error ? [{ edit, money: plan.data.money }] : [];
  });
  const rest = entries.length - ready.length;
  const back = ready.reduce((sum, { money }) => sum + money.back, 0);
  const less = ready.reduce((sum, { money }) => sum + money.door + money.uncharged, 0);
  const effect =
    back > 0 ? t.settleBack(formatMoney(back)) : less > 0 ? t.settleLessOf(formatMoney(less)) : t.settleNoneBack;
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    if (isLoading || isRunning || ready.length < 2) return;
    setRunning(true);
    const failed: number[] = [];
    for (const { edit } of ready) if (!(await writes.settle(edit))) failed.push(edit.item.variantId);
    setRunning(false);
    onDone(failed);
  };
  const isOffered = isLoading || isRunning || ready.length > 1;
  useShortcuts(
    isOffered
      ? [{ keys: "Shift+Enter", label: t.keySettleAll, run: ({ repeat }) => void (repeat || run()) }]
      : NO_SHORTCUTS,
  );
  if (!isOffered) return null;
  return (
    <div className={s.all}>
      <Button
        id={SETTLE_ALL_ID}
        kind="outline"
        wide
        disabled={isLoading}
        busy={isRunning && t.settling}
        onClick={() => void run()}
      >
        {isLoading
          ? t.settleAllWaits
          : rest === 0
            ? t.settleAll(ready.length, effect)
            : t.settleSome(ready.length, effect)}
      </Button>
      {!isLoading && rest > 0 && <p>{t.notReady(rest)}</p>}
    </div>
  );
}

/** What is sent of a row; nothing, when it cannot be settled as it is. */
function editOf({ item, shortage, variantId }: ListEntry, drafts: Drafts) {
  if (!item) return [];
  const draft = drafts.byItem[variantId];
  const form = draft?.form ?? formOf(shortage);
  const version = shortage?.version ?? null;
  const came = parseCame(form.came, item.ordered);
  const isGiven = form.gets === null || Object.values(form.gets).reduce((sum, units) => sum + units, 0) === came;
  if (typeof came !== "number" || came === item.ordered || !isGiven) return [];
  // Someone else has changed it since: which one stays is chosen there.
  if (draft && draft.over !== version) return [];
  return [{ item, form, came, saved: shortage, over: version }];
}
