import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import type { MailTemplates } from "../mail/template.ts";
import { formatOrderDay, findOrderForMail, type OrderForMail, sampleOrder } from "../orders/find-order-for-mail.ts";

const Message = z.object({ subject: z.string(), text: z.string() });

/** A message of the market about an order, as plain text: its paragraphs, then which order it is about. */
const orderMessage = (
  order: OrderForMail,
  { subject, text }: z.infer<typeof Message>,
  replyTo: string,
): MailContent => ({
  subject,
  heading: subject,
  parts: [
    ...text.split(/\n{2,}/),
    `This is about your order ${order.order_id} for ${formatOrderDay(order, order.day)}. You can answer this email.`,
  ],
  link: { label: "See your order", path: `/order-complete/${order.order_id}` },
  replyTo,
});

const sample = {
  subject: "Pickup is an hour later",
  text: "The truck is late, so pickup begins at 5 PM.\n\nSorry for the wait!",
};

/** What the staff write to customers about their orders (docs/product.md §18). */
export const messageMails: MailTemplates = {
  "order-message": {
    about: "The market wrote to customers about their orders",
    sort: "always",
    content: async ({ db, env }, data, now) => {
      const order = await findOrderForMail(db, Number(data["orderId"]), true, now);
      return order && orderMessage(order, Message.parse(data), env.supportEmail);
    },
    sample: () => orderMessage(sampleOrder, sample, "hello@example.com"),
  },
};
