import type { ActionSummary, StaffAction } from "@marketday/contracts/admin/actions";

import * as t from "#messages/actions";

import { paths } from "../../lib/paths.ts";

/** What a held action does in so many seconds; 0: its time is over. */
export function heldWords(summary: ActionSummary, seconds: number): string {
  switch (summary.kind) {
    case "short":
      return t.heldShort(summary.refunds, summary.mails, summary.title, seconds);
    case "cancel_order":
      return t.heldCancel(summary.orderId, seconds);
    case "resend_mail":
      return t.heldMail(seconds);
    case "mark_paid":
      return t.markedPaid(summary.boxes, summary.orderIds, summary.amount);
  }
}

/** What became of an action that is over, with what of it could not be done. */
export function doneWords({ summary, state, problem }: Pick<StaffAction, "summary" | "state" | "problem">): string {
  if (state === "refused") return t.refused(problem ?? "");
  if (state === "done" && problem !== null) return t.doneExcept(sentWords(summary, state), problem);
  return sentWords(summary, state);
}

function sentWords(summary: ActionSummary, state: StaffAction["state"]): string {
  if (state === "undone") return summary.kind === "mark_paid" ? t.paidUndone : t.undone;
  switch (summary.kind) {
    case "short":
      return t.sentShort(summary.refunds, summary.mails);
    case "cancel_order":
      return t.sentCancel(summary.orderId);
    case "resend_mail":
      return t.sentMail;
    case "mark_paid":
      return t.markedPaid(summary.boxes, summary.orderIds, summary.amount);
  }
}

/** What an action is about; undefined where its words say it. */
export function aboutWords(summary: ActionSummary): string | undefined {
  switch (summary.kind) {
    case "short":
      return t.aboutShort(summary.title, summary.came, summary.of);
    case "cancel_order":
    case "resend_mail":
      return t.aboutOrder(summary.name, summary.orderId);
    case "mark_paid":
      return undefined;
  }
}

/** A sentence without its subject: "settled Pasture Eggs, 9 of 12". */
export function didWords(summary: ActionSummary): string {
  switch (summary.kind) {
    case "short":
      return t.didShort(summary.title, summary.came, summary.of);
    case "cancel_order":
      return t.didCancel(summary.name, summary.orderId);
    case "resend_mail":
      return t.didResend(summary.template, summary.name, summary.orderId);
    case "mark_paid":
      return t.didMarkPaid(summary.boxes, summary.orderIds, summary.amount);
  }
}

/** What goes back and out with an action; empty: nothing. */
export const effectWords = (summary: ActionSummary): string =>
  summary.kind === "short" || summary.kind === "cancel_order" ? t.effects(summary.back, summary.mails) : "";

/** The screen of what an action was done to. */
export function pathOf({ summary, hub, day }: Pick<StaffAction, "summary" | "hub" | "day">): string {
  switch (summary.kind) {
    case "short":
      return paths.shorts(hub.slug, day);
    case "cancel_order":
    case "resend_mail":
      return paths.order(summary.orderId);
    case "mark_paid":
      return summary.orderIds.length === 1 ? paths.order(summary.orderIds[0]!) : paths.door(hub.slug, day);
  }
}
