import type { MailContent } from "../../lib/mail-template.ts";
import { fromRow, type MailTemplates } from "../mail/template.ts";
import { findBoxId } from "../orders/box-store.ts";
import { findReportForMail, type ReportForMail } from "./store.ts";

/** A problem report, to the market's support address. */
const problem = (report: ReportForMail): MailContent => ({
  subject: `Problem with order #${report.order_id}`,
  heading: `Problem with order #${report.order_id}`,
  ...(report.email === null ? {} : { replyTo: report.email }),
  parts: [
    report.message,
    {
      rows: [
        ["Report", String(report.id)],
        ["Customer", report.name],
        ["Market", report.market],
        ["Photos", String(report.photos)],
      ],
    },
    "Reply to this email to answer them.",
  ],
});

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
      order_id: 123456789,
      message: "2 of 12 Brown Eggs, Dozen\n\nTwo of the eggs were broken.",
      name: "Anna Brown",
      email: "anna@example.com",
      market: "Carmel",
      photos: 2,
    },
  ),
  "problem-received": fromRow(
    "A problem with an order was reported: to the customer",
    (db, { orderId }) => findBoxId(db, Number(orderId)),
    problemReceived,
    123456789,
  ),
};
