import type { ActionSummary, StaffAction } from "@marketday/contracts/admin/actions";
import type { Permission } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION } from "@marketday/domain/staff-actions";

import * as t from "#messages/actions";

import { paths } from "../../lib/paths.ts";

type CustomerSummary = Extract<ActionSummary, { customerId: number }>;

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
    case "grant_credit":
    case "skip_delivery":
    case "set_auto_checkout":
    case "add_customer_note":
    case "remove_customer_note":
      return customerWords(summary);
    case "bulk_cancel":
      return t.heldBulkCancel(summary.orderIds, summary.back, summary.mails, seconds);
    case "bulk_charge":
      return t.heldBulkCharge(summary.orderIds, summary.amount, seconds);
    case "bulk_message":
      return t.heldBulkMessage(summary.people, seconds);
    case "bulk_deliver":
      return t.delivered(summary.orderIds);
    case "bulk_place":
      return t.placesChanged(summary.orderIds, summary.place, summary.feeOff);
    case "refund_order":
      return t.heldRefund(summary.amount, seconds);
    case "short_order":
      return t.heldShortOrder(summary.back, summary.title, seconds);
    case "move_order":
      return t.heldMove(summary.orderId, summary.to, seconds);
    case "send_note":
      return t.heldMail(seconds);
    case "change_place":
    case "write_note":
      return sentWords(summary, "done");
    case "inbox_reply":
      return t.heldReply(summary.name, seconds);
    case "inbox_close":
    case "moderate":
    case "edit_offers":
      return sentWords(summary, "done");
  }
}

/** What was done to a person: done at once, so it is in the past. */
function customerWords(summary: CustomerSummary): string {
  switch (summary.kind) {
    case "grant_credit":
      return t.gaveCredit(summary.amount);
    case "skip_delivery":
      return t.skippedDay(summary.day, summary.isSkipped);
    case "set_auto_checkout":
      return t.setAutoCheckout(summary.to);
    case "add_customer_note":
      return t.addedNote;
    case "remove_customer_note":
      return t.removedNote;
  }
}

/** What became of an action that is over, with what of it could not be done. */
export function doneWords({ summary, state, problem }: Pick<StaffAction, "summary" | "state" | "problem">): string {
  if (state === "refused") return t.refused(problem ?? "");
  if (state === "done" && problem !== null) return t.doneExcept(sentWords(summary, state), problem);
  return sentWords(summary, state);
}

function sentWords(summary: ActionSummary, state: StaffAction["state"]): string {
  if (state === "undone") return undoneWords(summary);
  switch (summary.kind) {
    case "short":
      return t.sentShort(summary.refunds, summary.mails);
    case "cancel_order":
      return t.sentCancel(summary.orderId);
    case "resend_mail":
      return t.sentMail;
    case "mark_paid":
      return t.markedPaid(summary.boxes, summary.orderIds, summary.amount);
    case "grant_credit":
    case "skip_delivery":
    case "set_auto_checkout":
    case "add_customer_note":
    case "remove_customer_note":
      return customerWords(summary);
    case "bulk_cancel":
      return t.sentBulkCancel(summary.orderIds);
    case "bulk_charge":
      return t.sentBulkCharge(summary.orderIds);
    case "bulk_message":
      return t.sentBulkMessage(summary.people);
    case "bulk_deliver":
      return t.delivered(summary.orderIds);
    case "bulk_place":
      return t.placesChanged(summary.orderIds, summary.place, summary.feeOff);
    case "refund_order":
      return t.sentRefund(summary.amount, summary.to);
    case "short_order":
      return t.sentShortOrder(summary.units, summary.title, summary.back);
    case "move_order":
      return t.sentMove(summary.orderId, summary.to);
    case "send_note":
      return t.sentMail;
    case "change_place":
      return t.placeChanged(summary.orderId, summary.place, summary.feeOff);
    case "write_note":
      return t.noteWritten[summary.change];
    case "inbox_reply":
      return t.sentReply(summary.name, summary.isPublic);
    case "inbox_close":
      return t.closed(t.items[summary.item], summary.isClosed);
    case "moderate":
      return t.moderated(t.items[summary.part === "answer" ? "answer" : summary.item], summary.isHidden);
    case "edit_offers":
      return t.editedOffers(summary.cells, summary.offers);
  }
}

function undoneWords(summary: ActionSummary): string {
  const { kind } = summary;
  if (kind === "mark_paid") return t.paidUndone;
  if (kind === "bulk_deliver") return t.deliveredUndone;
  if (kind === "change_place") return t.placeUndone;
  if (kind === "bulk_place") return t.placesUndone(summary.feeOff);
  if (kind === "write_note") return t.noteUndone;
  if (kind === "inbox_close" || kind === "moderate") return t.undoneHere;
  if (kind === "edit_offers") return t.offersUndone;
  return "customerId" in summary ? t.customerUndone(summary.kind) : t.undone;
}

/** What an action is about; undefined where its words say it. */
export function aboutWords(summary: ActionSummary): string | undefined {
  switch (summary.kind) {
    case "short":
      return t.aboutShort(summary.title, summary.came, summary.of);
    case "cancel_order":
    case "resend_mail":
    case "refund_order":
    case "short_order":
    case "move_order":
    case "send_note":
    case "change_place":
    case "write_note":
      return t.aboutOrder(summary.name, summary.orderId);
    case "mark_paid":
    case "bulk_cancel":
    case "bulk_charge":
    case "bulk_deliver":
    case "bulk_place":
      return undefined;
    case "grant_credit":
    case "skip_delivery":
    case "set_auto_checkout":
    case "add_customer_note":
    case "remove_customer_note":
      return summary.name === "" ? undefined : summary.name;
    case "inbox_reply":
    case "inbox_close":
    case "moderate":
      return t.aboutItem(t.items[summary.item], summary.name);
    case "bulk_message":
      return summary.subject;
    case "edit_offers":
      return t.aboutEdit(summary);
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
    case "grant_credit":
      return t.didGrantCredit(summary.name, summary.amount);
    case "skip_delivery":
      return t.didSkip(summary.name, summary.day, summary.isSkipped);
    case "set_auto_checkout":
      return t.didSetAutoCheckout(summary.name, summary.to);
    case "add_customer_note":
      return t.didAddNote(summary.name);
    case "remove_customer_note":
      return t.didRemoveNote(summary.name);
    case "bulk_cancel":
      return t.didBulkCancel(summary.orderIds);
    case "bulk_charge":
      return t.didBulkCharge(summary.orderIds, summary.amount);
    case "bulk_message":
      return t.didBulkMessage(summary.people, summary.subject);
    case "bulk_deliver":
      return t.didDeliver(summary.orderIds);
    case "bulk_place":
      return t.didBulkPlace(summary.orderIds, summary.place);
    case "refund_order":
      return t.didRefund(summary.amount, summary.name, summary.orderId);
    case "short_order":
      return t.didShortOrder(summary.units, summary.title, summary.name, summary.orderId);
    case "move_order":
      return t.didMove(summary.name, summary.orderId, summary.to);
    case "send_note":
      return t.didSendNote(summary.name, summary.orderId);
    case "change_place":
      return t.didChangePlace(summary.name, summary.orderId, summary.place);
    case "write_note":
      return t.didWriteNote[summary.change](summary.name, summary.orderId);
    case "inbox_reply":
      return t.didReply(t.items[summary.item], summary.name);
    case "inbox_close":
      return t.didClose(t.items[summary.item], summary.name, summary.isClosed);
    case "moderate":
      return t.didModerate(
        t.items[summary.part === "answer" ? "answer" : summary.item],
        summary.name,
        summary.isHidden,
      );
    case "edit_offers":
      return t.didEditOffers(summary);
  }
}

/** What goes back and out with an action; empty: nothing. */
export const effectWords = (summary: ActionSummary): string =>
  summary.kind === "short" || summary.kind === "cancel_order" || summary.kind === "bulk_cancel"
    ? t.effects(summary.back, summary.mails)
    : "";

/** The screen of what an action was done to; one of a day without it is not stored. */
export function pathOf({ summary, hub, day }: Pick<StaffAction, "summary" | "hub" | "day">): string {
  const onDay = (path: (hub: string, date: string) => string) => (hub && day ? path(hub.slug, day) : paths.today);
  switch (summary.kind) {
    case "short":
      return onDay(paths.shorts);
    case "cancel_order":
    case "resend_mail":
    case "refund_order":
    case "short_order":
    case "move_order":
    case "send_note":
    case "change_place":
    case "write_note":
      return paths.order(summary.orderId);
    case "mark_paid":
      return summary.orderIds.length === 1 ? paths.order(summary.orderIds[0]!) : onDay(paths.door);
    case "grant_credit":
    case "skip_delivery":
    case "set_auto_checkout":
    case "add_customer_note":
    case "remove_customer_note":
      return paths.customer(summary.customerId);
    case "inbox_reply":
    case "inbox_close":
    case "moderate":
      return paths.inboxItem(summary.item, summary.itemId);
    case "bulk_cancel":
    case "bulk_charge":
    case "bulk_message":
    case "bulk_deliver":
    case "bulk_place":
      if (summary.orderIds.length === 1) return paths.order(summary.orderIds[0]!);
      return day ? onDay(paths.boxes) : paths.orders;
    case "edit_offers":
      return paths.products;
  }
}

/** The permission that the screen at `pathOf` needs. */
export function screenPermission(kind: ActionSummary["kind"]): Permission {
  switch (kind) {
    case "short":
    case "mark_paid":
    case "inbox_reply":
    case "inbox_close":
    case "moderate":
      return STAFF_ACTION_PERMISSION[kind];
    case "grant_credit":
    case "skip_delivery":
    case "set_auto_checkout":
    case "add_customer_note":
    case "remove_customer_note":
      return "people.read";
    default:
      return "orders.read";
  }
}
