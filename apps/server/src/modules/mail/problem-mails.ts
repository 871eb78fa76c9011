import { findBoxId } from "../orders/box-store.ts";
import { findReportForMail, type ReportForMail } from "../problems/store.ts";
import type { MailContent } from "./layout.ts";
import type { MailTemplate } from "./template.ts";

/** To the market: something is wrong with an order. */
const problem = (report: ReportForMail): MailContent => ({
  subject: `Problem with order ${report.order_id}`,
  heading: `Problem with order ${report.order_id}`,
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

/** To whoever reported it. */
const problemReceived = (orderId: number): MailContent => ({
  subject: `We have your report about order ${orderId}`,
  heading: "We have your report",
  parts: [`Someone will look into what went wrong with order #${orderId} and email you at this address.`],
  link: { label: "See your order", path: `/order-complete/${orderId}` },
});

/** Mails about problems with orders. */
export const problemMails: Readonly<Record<string, MailTemplate>> = {
  problem: {
    about: "A problem with an order was reported: to the market",
    sort: "always",
    content: async ({ db }, { reportId }) => {
      const report = await findReportForMail(db, Number(reportId));
      return report && problem(report);
    },
    sample: () =>
      problem({
        id: 7,
        order_id: 123456789,
        message: "Two of the eggs were broken.",
        name: "Anna Brown",
        email: "anna@example.com",
        market: "Carmel",
        photos: 2,
      }),
  },
  "problem-received": {
    about: "A problem with an order was reported: to the customer",
    sort: "always",
    content: async ({ db }, { orderId }) => problemReceived(await findBoxId(db, Number(orderId))),
    sample: () => problemReceived(123456789),
  },
};
