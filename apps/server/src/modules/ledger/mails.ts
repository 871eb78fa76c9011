import { calendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { cents, formatUsd } from "@marketday/domain/money";
import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, type MailTemplates } from "../mail/template.ts";

const Payout = z.object({ payout: z.number(), vendor: z.string(), amountCents: z.number(), to: z.string() });
const Reversal = Payout.omit({ to: true });

const usd = (amount: number) => formatUsd(cents(amount));

/** A vendor's share of a payout. */
const payoutSent = ({ payout, vendor, amountCents, to }: z.infer<typeof Payout>, market: string): MailContent => ({
  subject: `${usd(amountCents)} from ${market} for ${vendor}`,
  heading: `${usd(amountCents)} is on its way`,
  parts: [
    `This is a payment from ${market} to ${vendor} for deliveries up to ${formatLongWithYear(calendarDate(to))}.`,
    { rows: [["Payout", String(payout)]], total: ["Paid out", usd(amountCents)] },
    "Banks take a few days to show it. For the orders behind it, ask us for your statement.",
  ],
});

/** A vendor's share of a payout did not arrive or was wrong. */
const payoutReversed = ({ payout, vendor, amountCents }: z.infer<typeof Reversal>, market: string): MailContent => ({
  subject: `Payout ${payout} to ${vendor} was taken back`,
  heading: "A payout was taken back",
  parts: [
    `We recorded at ${market} that ${usd(amountCents)} of payout ${payout} did not reach ${vendor}, or was wrong. The amount is due to you again and is part of the next payout.`,
  ],
});

const sample = { payout: 41, vendor: "Oak Farm", amountCents: 48_250, to: "2026-11-26" };

/** Mails about payouts, to vendors. */
export const ledgerMails: MailTemplates = {
  "vendor-payout": fromData("A vendor was paid: to the vendor", Payout, payoutSent, sample),
  "vendor-payout-reversed": fromData("A payout was reversed: to the vendor", Reversal, payoutReversed, sample),
};
