import type { BulkPlan } from "@marketday/contracts/admin/bulk";
import { calendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { Button } from "@marketday/ui/button.tsx";
import { Stack } from "@marketday/ui/layout.tsx";

import * as t from "#messages/bulk";

import s from "./bulk.module.css";

/** What an action does, in one sentence. */
export const effectWords = (verb: t.Verb, plan: BulkPlan): string =>
  plan.boxes.length === 0 ? t.nothing : t.effect(verb, { ...plan, count: plan.boxes.length });

/** What it does in one sentence, what is so already, and who is refused. */
export function Effect({
  verb,
  plan,
  onOthers,
}: {
  verb: t.Verb;
  plan: BulkPlan;
  onOthers: (orderIds: readonly number[]) => void;
}) {
  const { boxes, refused, unchanged, early, overLimit } = plan;
  return (
    <Stack gap={2}>
      <p className={s.effect}>{effectWords(verb, plan)}</p>
      {verb === "place" && plan.feeOff > 0 && <p>{t.feesStayOff}</p>}
      {plan.isOnSheets && <p>{t.onSheets}</p>}
      {unchanged > 0 && <p className={s.quiet}>{t.unchanged[verb](unchanged)}</p>}
      {verb === "deliver" &&
        early.map(({ hub, day }) => <p key={`${hub} ${day}`}>{t.early(hub, formatLongWithYear(calendarDate(day)))}</p>)}
      {overLimit !== null && <p>{t.overLimit(overLimit)}</p>}
      {refused.length > 0 && (
        <>
          <p>{t.refusedTitle(refused.length)}</p>
          <ul className={s.refused}>
            {refused.map(({ orderId, name, reason }) => (
              <li key={orderId}>{t.refusedLine(orderId, name, reason)}</li>
            ))}
          </ul>
          {boxes.length > 0 && (
            <Button kind="outline" onClick={() => onOthers(boxes.map(({ orderId }) => orderId))}>
              {t.doOthers(boxes.length)}
            </Button>
          )}
        </>
      )}
    </Stack>
  );
}
