import { accountMails } from "./modules/account/mails.ts";
import { answerMails } from "./modules/answers/mails.ts";
import { leadMails } from "./modules/leads/mails.ts";
import type { MailTemplates } from "./modules/mail/template.ts";
import { orderMails } from "./modules/orders/mails.ts";
import { paymentMails } from "./modules/payments/mails.ts";
import { problemMails } from "./modules/problems/mails.ts";
import { subscriptionMails } from "./modules/subscriptions/mails.ts";
import { weekMails } from "./modules/week/mails.ts";

/** Every mail that the market sends, by template key. */
export const mailTemplates: MailTemplates = {
  ...orderMails,
  ...paymentMails,
  ...subscriptionMails,
  ...weekMails,
  ...accountMails,
  ...answerMails,
  ...leadMails,
  ...problemMails,
};
