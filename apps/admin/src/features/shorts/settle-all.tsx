import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/shorts";

import { type DayItem, type DayShorts, planQuery, type Shortage } from "./api.ts";
import { type CountForm, countOf, formOf, isSameForm, parseCame } from "./count-form.ts";
import type { ListEntry } from "./list-entries.ts";
import type { Drafts } from "./use-drafts.ts";
import type { ShortWrites } from "./use-short-writes.ts";

/** The id of the button that settles all. */
export const SETTLE_ALL_ID = "short-settle-all";

interface Edit {
  item: DayItem;
  form: CountForm;
  came: number;
  saved: Shortage | undefined;
  over: number | null;
}

/** What an entry is settled with; null: it is first to be looked at, as its number is missing or someone else has changed it. */
function editOf({ item, shortage: saved }: ListEntry, drafts: Drafts["byItem"]): Edit | null {
  if (!item) return null;
  const draft = drafts[item.variantId];
  const form = draft?.form ?? formOf(saved);
  const version = saved?.version ?? null;
  const over = draft ? draft.over : version;
  const came = parseCame(form.came, item.ordered);
  if (typeof came !== "number" || came === item.ordered) return null;
  return over === version || isSameForm(form, formOf(saved)) ? { item, form, came, saved, over: version } : null;
}

interface SettleAllProps {
  day: DayShorts;
  toSettle: readonly ListEntry[];
  drafts: Drafts;
  writes: ShortWrites;
  onSettled: () => void;
}

/**
 * Settles every count that is ready, one after the other: each is held for a minute and is undone alone. One that cannot be settled stays
 * among those to settle, with its reason. Nothing for fewer than two.
 */
export function SettleAll({ day, toSettle, drafts, writes, onSettled }: SettleAllProps) {
  const [isRunning, setRunning] = useState(false);
  const [refused, setRefused] = useState(0);
  const edits = day.isFrozen ? toSettle.flatMap((entry) => editOf(entry, drafts.byItem) ?? []) : [];
  const plans = useQueries({
    queries: edits.map(({ item, form, came }) => {
      const { reason: _, ...count } = countOf(item, form, came);
      return planQuery(day.hub.slug, day.day, count);
    }),
  });
  const backs = plans.map(({ data }) => data?.money?.back);
  const isKnown = backs.every((back) => back !== undefined);
  const sum = backs.reduce<number>((total, back) => total + Math.round((back ?? 0) * 100), 0) / 100;
  const run = async () => {
    if (isRunning) return;
    setRunning(true);
    setRefused(0);
    let failures = 0;
    for (const edit of edits) if (!(await writes.settle(edit))) failures += 1;
    setRunning(false);
    setRefused(failures);
    if (failures === 0) onSettled();
  };
  if (edits.length < 2 && !isRunning && refused === 0) return null;
  return (
    <>
      {(edits.length > 1 || isRunning) && (
        <Compact>
          <Button id={SETTLE_ALL_ID} kind="outline" busy={isRunning && t.settlingAll} onClick={() => void run()}>
            {t.settleAll(edits.length, isKnown ? formatMoney(sum) : null)}
          </Button>
        </Compact>
      )}
      {refused > 0 && <p role="alert">{t.notAll(refused)}</p>}
    </>
  );
}
