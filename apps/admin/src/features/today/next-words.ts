import type { TodayRow } from "@marketday/contracts/admin/today";
import { calendarDate, dateInZone } from "@marketday/domain/calendar-date";

import * as t from "#messages/today";

/** What a row says of the next thing to do: a line, and a quieter one. */
interface NextWords {
  title: string;
  note: string | null;
}

/** The step that did not run when it should have. */
function lateStep({ steps }: TodayRow): string {
  const step = steps.find(({ state }) => state === "late") ?? steps[0]!;
  return t.stepNames[step.step];
}

/** Whether there is a pace to compare: without orders in both weeks there is none. */
export const hasOrders = ({ thisWeek, lastWeek }: NonNullable<TodayRow["pace"]>): boolean => thisWeek + lastWeek > 0;

function paceNote({ pace }: TodayRow): string | null {
  if (!pace || !hasOrders(pace)) return null;
  const ahead = pace.thisWeek - pace.lastWeek;
  if (ahead === 0) return t.level;
  return ahead > 0 ? t.ahead(ahead) : t.behind(-ahead);
}

/** "since Thu 6 AM", "by Fri": when the next thing was or is due. */
function deadlineNote({ next, hub }: TodayRow, now: Date): string | null {
  const at = next.lateSince ?? next.dueAt;
  if (at === null) return null;
  const words = t.whenExactly(new Date(at), hub.timeZone, now);
  return next.lateSince === null ? t.by(words) : t.since(words);
}

/** What comes next for a day, in its row. */
export function nextWords(row: TodayRow, now: Date): NextWords {
  const { next } = row;
  const count = next.count ?? 0;
  switch (next.kind) {
    case "nothing":
      return { title: t.nothing, note: paceNote(row) };
    case "run_late_step":
      return { title: t.runLateStep(lateStep(row)), note: deadlineNote(row, now) };
    case "create_sheets":
      return { title: t.createSheets, note: deadlineNote(row, now) };
    case "settle_shorts":
      return { title: t.settleShorts(count), note: deadlineNote(row, now) };
    case "renew_sheets":
      return { title: t.renewSheets, note: deadlineNote(row, now) };
    case "collect_at_door":
      return {
        title: t.collect(count, next.amount),
        note: next.amount === null ? deadlineNote(row, now) : t.collectFrom(count),
      };
    case "retry_charges":
      return {
        title: t.retryCharges(count),
        note: next.amount === null ? deadlineNote(row, now) : t.money(next.amount),
      };
    case "deliver":
      return { title: t.deliver(count), note: deadlineNote(row, now) };
    case "pay_vendors":
      return {
        title: t.payVendors(count),
        note: next.amount === null ? deadlineNote(row, now) : t.toFarms(next.amount),
      };
  }
}

/** What the card on top says: how late, a heading, and what it is about with numbers. */
interface CardWords {
  deadline: string;
  heading: string;
  body: string;
}

function headingAndBody(row: TodayRow, now: Date): { heading: string; body: string } {
  const { next, hub } = row;
  const day = calendarDate(row.day);
  const today = dateInZone(now, hub.timeZone);
  const count = next.count ?? 0;
  switch (next.kind) {
    case "run_late_step":
      return { heading: t.cardRunLateStep(hub.name, lateStep(row)), body: t.cardRunLateStepBody };
    case "create_sheets":
      return { heading: t.cardCreateSheets(hub.name, day, today), body: t.cardCreateSheetsBody(count) };
    case "settle_shorts":
      return { heading: t.cardSettleShorts(hub.name, count), body: t.cardSettleShortsBody };
    case "renew_sheets":
      return { heading: t.cardRenewSheets(hub.name), body: t.cardRenewSheetsBody(count) };
    case "collect_at_door":
      return { heading: t.cardCollect(hub.name, count, next.amount), body: t.cardCollectBody(count) };
    case "retry_charges":
      return { heading: t.cardRetryCharges(hub.name, count), body: t.cardRetryChargesBody(count, next.amount) };
    case "deliver":
      return { heading: t.cardDeliver(hub.name, count), body: t.cardDeliverBody };
    case "pay_vendors":
      return { heading: t.cardPayVendors(hub.name, count), body: t.cardPayVendorsBody(next.amount, day, today) };
    case "nothing":
      return { heading: t.nothing, body: "" };
  }
}

/** The words of the most urgent row. `isElsewhere`: by another clock than the page's, so that the place is named. */
export function cardWords(row: TodayRow, now: Date, isElsewhere: boolean): CardWords {
  const { next, hub } = row;
  const { heading, body } = headingAndBody(row, now);
  const at = next.lateSince ?? next.dueAt;
  if (at === null) return { deadline: t.due, heading, body };
  const date = new Date(at);
  const clock = t.whenExactly(date, hub.timeZone, now);
  const words = isElsewhere ? t.inPlace(clock, hub.timeZone) : clock;
  const distance = t.span(date.getTime() - now.getTime());
  return next.lateSince === null
    ? { deadline: t.dueBy(words), heading, body: `${body} ${t.timeLeft(distance)}` }
    : { deadline: t.lateSince(words), heading, body: `${body} ${t.overdue(distance)}` };
}
