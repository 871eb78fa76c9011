import { z } from "zod";

import { asCustomerId } from "../../lib/context.ts";
import { nextBoxes } from "../subscriptions/next-boxes.ts";
import { findAbout, findBack } from "../week/remind-store.ts";
import { findVendorList } from "../week/snapshot.ts";
import { accountDeleted, dataExport, emailChanged, passwordChanged, passwordReset } from "./account-templates.ts";
import { answerMails } from "./answer-mails.ts";
import { autoCheckoutFailed, autoCheckoutMissed, autoCheckoutShort } from "./auto-checkout-templates.ts";
import {
  BackForMail,
  holdLost,
  notCharged,
  OffForMail,
  orderCalledOff,
  orderRefunded,
  orderShort,
  refundAsCredit,
  ShortForMail,
} from "./care-templates.ts";
import { contactMails } from "./contact-mails.ts";
import type { MailContent } from "./layout.ts";
import { problemMails } from "./problem-mails.ts";
import { autoCheckoutSoon, backInStock, orderBySoon } from "./reminder-templates.ts";
import { sampleAbout, sampleBox, sampleDelivery, sampleGoods, sampleOrder } from "./samples.ts";
import { findOrderForMail, type OrderForMail } from "./store.ts";
import type { MailTemplate } from "./template.ts";
import {
  cardRemoved,
  giftCard,
  orderCancelled,
  orderChanged,
  orderConfirmation,
  paymentFailed,
  paymentLimit,
  referralCredit,
  wagonPassDeclined,
  wagonPassLapsed,
} from "./templates.ts";
import { vendorChange, vendorOrder } from "./vendor-order-template.ts";

/** Which lines and amounts a mail shows: those of the order it is about, or of everything in its box. */
type Scope = "order" | "box";

/** A mail about one order: its data is `{ orderId }`. */
function ofOrder(about: string, write: (order: OrderForMail) => MailContent, scope: Scope = "order"): MailTemplate {
  return {
    about,
    sort: "always",
    content: async ({ db }, { orderId }) => {
      const order = await findOrderForMail(db, Number(orderId), scope === "box");
      return order && write(order);
    },
    sample: () => write(sampleOrder),
  };
}

/** A mail about one order and what happened to it: its data is `{ orderId, … }`. */
function ofOrderAnd<T>(
  about: string,
  Data: z.ZodType<T>,
  write: (order: OrderForMail, data: T) => MailContent,
  sample: T,
  scope: Scope = "order",
): MailTemplate {
  return {
    about,
    sort: "always",
    content: async ({ db }, data) => {
      const order = await findOrderForMail(db, Number(data["orderId"]), scope === "box");
      return order && write(order, Data.parse(data));
    },
    sample: () => write(sampleOrder, sample),
  };
}

/** A mail whose data is all it needs. */
const ofData = (about: string, write: (data: unknown) => MailContent, sample: object): MailTemplate => ({
  about,
  sort: "always",
  content: (_deps, data) => write(data),
  sample: () => write(sample),
});

/** A mail about one's own account: its data is at most `{ token }`. */
const ofAccount = (about: string, write: (token: string, market: string) => MailContent): MailTemplate => ({
  about,
  sort: "always",
  content: ({ env }, { token }) => write(typeof token === "string" ? token : "", env.marketName),
  sample: () => write("kQ2v…", "the market"),
});

const CardRemovedData = z.object({ last4: z.string(), nextLast4: z.string().nullable(), orderId: z.number() });
const ReferralData = z.object({ amountCents: z.number() });
const PaymentLimitData = z.object({ by: z.enum(["customer", "address"]) });
const GiftCardData = z.object({ code: z.string(), amountCents: z.number(), message: z.string() });
const sampleCard = {
  code: "K7QD-29FM-XW4T-8HRC",
  amountCents: 5000,
  message: "For your first week in the new kitchen.",
};
const sampleBack = { amountCents: 450, to: "card" as const, reason: "A jar of honey broke on the way." };
const sampleOff = { reason: "The road to you is flooded.", to: "card" as const, backCents: 4210, creditCents: 500 };
const some = [{ title: "Free-range eggs, dozen", quantity: 2 }];

/** Every mail the market sends, by name. A new event gets a line here, and is then in the preview and its tests. */
export const mailTemplates: Readonly<Record<string, MailTemplate>> = {
  ...answerMails,
  ...contactMails,
  ...problemMails,
  "order-confirmation": ofOrder("An order was placed", orderConfirmation),
  "order-changed": ofOrder("The shopper took something off an order", orderChanged, "box"),
  "order-cancelled": ofOrder("Nothing was left of an order", orderCancelled),
  "payment-failed": ofOrder("An order could not be charged at the cutoff: what to do now", paymentFailed),
  "not-charged": ofData("What was paid for sold out while the bank asked", notCharged, {}),
  "card-removed": ofData(
    "The provider removed the default card while an order needs one",
    (data) => cardRemoved(CardRemovedData.parse(data)),
    { last4: "4242", nextLast4: null, orderId: 123456789 },
  ),
  "payment-limit": {
    about:
      "Too many payments of this account were declined or not finished, and no more are accepted for up to an hour",
    sort: "always",
    content: (_deps, data) => paymentLimit(PaymentLimitData.parse(data)),
    sample: () => paymentLimit({ by: "customer" }),
  },
  "hold-lost": ofOrder("The bank no longer holds the money of an open order", holdLost),
  "order-refunded": ofOrderAnd("The market gave money back", BackForMail, orderRefunded, sampleBack),
  "refund-as-credit": ofOrderAnd("The card did not take a refund", BackForMail, refundAsCredit, sampleBack),
  "order-called-off": ofOrderAnd("The market cancelled an order", OffForMail, orderCalledOff, sampleOff),
  "order-short": ofOrderAnd(
    "Something of an order could not be picked",
    ShortForMail,
    orderShort,
    { ...sampleOff, reason: "", missing: ["2 × Free-range eggs, dozen"] },
    "box",
  ),
  "gift-card": {
    about: "Somebody bought a gift card for this address",
    sort: "always",
    content: ({ env }, data) => giftCard(GiftCardData.parse(data), env.marketName),
    sample: () => giftCard(sampleCard, "the market"),
  },
  "referral-credit": {
    about: "The first order of an invited friend has closed",
    sort: "always",
    content: ({ env }, data) => referralCredit(ReferralData.parse(data), env.marketName),
    sample: () => referralCredit({ amountCents: 2000 }, "the market"),
  },
  "wagon-pass-declined": ofData("A wagon pass is not renewed yet: the card was declined", wagonPassDeclined, {}),
  "wagon-pass-lapsed": ofData("A wagon pass could not be renewed", wagonPassLapsed, {}),
  "auto-checkout-failed": ofData("Automatic checkout ordered nothing", autoCheckoutFailed, {
    ...sampleDelivery,
    reason: "declined",
  }),
  "auto-checkout-short": ofData("Automatic checkout could not order everything", autoCheckoutShort, {
    ...sampleDelivery,
    orderId: sampleOrder.order_id,
    ordered: some,
    missing: [{ title: "Sourdough, large loaf", quantity: 1 }],
  }),
  "auto-checkout-missed": ofData("The market was down when it should have ordered", autoCheckoutMissed, sampleDelivery),
  "auto-checkout-soon": {
    about: "A day before automatic checkout: what it will order",
    sort: "reminder",
    content: async (deps, { deliveryId, customerId }, now) => {
      const about = await findAbout(deps.db, Number(deliveryId), Number(customerId));
      if (!about?.is_automatic || now >= about.auto_checkout_at) return null;
      const ctx = { deps, now, actor: { type: "system" as const, job: "mail" } };
      const [box] = await nextBoxes(ctx, asCustomerId(Number(customerId)), about.hub_id);
      return box && box.deliveryDate === about.day && !box.isSkipped ? autoCheckoutSoon(about, box) : null;
    },
    sample: () => autoCheckoutSoon(sampleAbout, sampleBox),
  },
  "order-by-soon": {
    about: "A day before orders close, while the cart waits",
    sort: "reminder",
    content: async ({ db }, { deliveryId, customerId }, now) => {
      const about = await findAbout(db, Number(deliveryId), Number(customerId));
      return about && !about.is_ordered && !about.is_closed && now < about.cutoff_at ? orderBySoon(about) : null;
    },
    sample: () => orderBySoon(sampleAbout),
  },
  "back-in-stock": {
    about: "A sold-out line of the cart is there again",
    sort: "reminder",
    content: async ({ db }, { variantId, customerId }, now) => {
      const back = await findBack(db, Number(variantId), Number(customerId), now);
      return back && back.inventory > 0 ? backInStock(back) : null;
    },
    sample: () =>
      backInStock({
        title: "Wild blueberries, pint",
        vendor: "Sugar Creek Farm",
        product_id: 1,
        inventory: 4,
        market: sampleAbout.market,
        cutoff_at: sampleAbout.cutoff_at,
        time_zone: sampleAbout.time_zone,
      }),
  },
  "password-reset": ofAccount("Somebody asked for a new password", passwordReset),
  "password-changed": ofAccount("The password was changed or reset", passwordChanged),
  "email-changed": ofAccount("The account has another address now; to the old one", emailChanged),
  "data-export": ofAccount("A customer asked for their data", dataExport),
  "account-deleted": ofAccount("A customer deleted the account", accountDeleted),
  "vendor-order": {
    about: "The orders of a delivery day have closed: what a vendor brings",
    sort: "always",
    content: async ({ db }, { snapshotId, vendorId }) => {
      const list = await findVendorList(db, Number(snapshotId), Number(vendorId));
      return list && vendorOrder(list);
    },
    sample: () =>
      vendorOrder({
        vendor: "Sugar Creek Farm",
        market: sampleDelivery.market,
        day: sampleDelivery.day,
        version: 1,
        lines: sampleGoods,
      }),
  },
  "vendor-change": ofData("An order was cancelled or came short after the vendor was sent the list", vendorChange, {
    vendor: "Sugar Creek Farm",
    market: sampleDelivery.market,
    day: sampleDelivery.day,
    lines: sampleGoods.map(({ quantity, ...item }) => ({ ...item, before: quantity, after: quantity - 2 })),
  }),
};
