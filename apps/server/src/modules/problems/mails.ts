import type { MailContent } from "../../lib/mail-template.ts";
import { fromRow, type MailTemplates } from "../mail/template.ts";
import { findBoxId } from "../orders/box-store.ts";
import { findReportForMail, type ReportForMail } from "./store.ts";

/** A problem report, to the market's support address. */
function problem({ id, message, customer, order, _count: { photos } }: ReportForMail): MailContent {
  const title = `Problem with order #${order.add_on_to_id ?? order.id}`;
  return {
    subject: title,
    heading: title,
    ...(customer.email === null ? {} : { replyTo: customer.email }),
    parts: [
      message,
      {
        rows: [
          ["Report", String(id)],
          ["Customer", `${customer.first_name} ${customer.last_name}`.trim()],
          ["Market", order.hub.name],
          ["Photos", String(photos)],
        ],
      },
      "Reply to this email to answer them.",
    ],
  };
}

/** To the customer who reported it. */
const problemReceived = (orderId: number): MailContent => ({
  subject: `We have your report about order #${orderId}`,
  heading: "We have your report",
  parts: [`Someone will look into what went wrong with order #${orderId} and email you at this address.`],
  link: { label: "See your order", path: `/order-complete/${orderId}` },
});

/** Mails about problem reports. */
export const problemMails: MailTemplates = {
  problem: fromRow(
    "A problem with an order was reported: to the market",
    (db, { reportId }) => findReportForMail(db, Number(reportId)),
    problem,
    {
      id: 7,
      message: "2 of 12 Brown Eggs, Dozen\n\nTwo of the eggs were broken.",
      customer: { first_name: "Anna", last_name: "Brown", email: "anna@example.com" },
      order: { id: 123456789, add_on_to_id: null, hub: { name: "Carmel" } },
      _count: { photos: 2 },
    },
  ),
  "problem-received": fromRow(
    "A problem with an order was reported: to the customer",
    (db, { orderId }) => findBoxId(db, Number(orderId)),
    problemReceived,
    123456789,
  ),
};
