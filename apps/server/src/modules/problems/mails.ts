import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { MailContent } from "../mail/layout.ts";
import { fromRow, type MailTemplates } from "../mail/template.ts";
import { findBoxId } from "../orders/box-store.ts";

const ReportForMail = z.object({
  id: z.number(),
  order_id: z.number(),
  message: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  market: z.string(),
  photos: z.number(),
});
type ReportForMail = z.infer<typeof ReportForMail>;

/** A report, for the mail about it; null when it was deleted. */
const findReportForMail = (conn: Conn, id: number): Promise<ReportForMail | null> =>
  queryOne(
    conn,
    sql`select r.id, coalesce(o.add_on_to_id, o.id) as order_id, r.message, trim(c.first_name || ' ' || c.last_name) as name, c.email, h.name as market,
          (select count(*)::int from problem_photo p where p.report_id = r.id) as photos
        from problem_report r join customer c on c.id = r.customer_id join orders o on o.id = r.order_id join hub h on h.id = o.hub_id
        where r.id = ${id}::int`,
    ReportForMail,
  );

/** A problem report, to the market's support address. */
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

/** To the customer who reported it. */
const problemReceived = (orderId: number): MailContent => ({
  subject: `We have your report about order ${orderId}`,
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
      message: "Two of the eggs were broken.",
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
