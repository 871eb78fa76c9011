import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/calls";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { GIFT_CARD_MAX, GIFT_CARD_MIN } from "@marketday/domain/limits";
import { cents, formatUsd, fromDollars } from "@marketday/domain/money";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount } from "@marketday/ui/character-count.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { useEffect, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { marketToday } from "../../lib/today.ts";
import { emptyPaying, meansOf, payingProblems, PayWith, takesCards } from "../payment/pay-with.tsx";
import { useMethods } from "../payment/use-methods.ts";
import { CHECKING, usePurchase } from "../payment/use-purchase.tsx";
import { EmailHint } from "./email-hint.tsx";
import { amountCents, AMOUNTS, type Gift, giftControls, giftProblems, MESSAGE_MAX, lastGiftDay } from "./gift.ts";

import s from "./gift-cards.module.css";

/** Today by the market's clock, as the server counts it. */
const emptyGift = (): Gift => ({ amount: "50", recipientEmail: "", message: "", deliverOn: marketToday() });

/** How much, for whom, with which words, on which day, and paid with which card. */
export function BuyGift() {
  // Kept when the frame is closed (Esc, X); a card is not.
  const { values: gift, put, clear } = useFormDraft<Gift>("gift-card", emptyGift());
  const [paying, setPaying] = useState(emptyPaying);
  const [sent, setSent] = useState<{ to: string; on: string; cents: number; isEarlier?: true } | null>(null);
  const { methods, error: unread, load } = useMethods();
  const { problems, field, check } = useForm({
    ids: giftControls,
    problems: [...giftProblems(gift, marketToday()), ...payingProblems(paying, methods ?? [])],
  });
  const { running, error, question, purchase } = usePurchase({
    name: "gift-card",
    onFound: (found) => {
      if (found.kind !== "gift-card") return;
      setSent({ to: found.recipientEmail, on: found.deliverOn, cents: fromDollars(found.amount), isEarlier: true });
      // Another gift that is typed by now stays.
      if (gift.recipientEmail.trim().toLowerCase() === found.recipientEmail.toLowerCase()) clear();
    },
  });
  const done = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (sent) done.current?.focus();
  }, [sent]);

  if (!takesCards)
    return (
      <Banner tone="information" title="Not available here yet">
        This market takes payment at pickup or at the door, so gift cards are not sold online. If you have a code, you
        can redeem it here.
      </Banner>
    );
  if (sent)
    return (
      <Panel as="section" label="Bought">
        <div className={s.form}>
          <h2 ref={done} tabIndex={-1}>
            {sent.isEarlier ? "Your gift card was bought" : `${formatUsd(cents(sent.cents))} for ${sent.to}`}
          </h2>
          {sent.isEarlier && (
            <p>
              {formatUsd(cents(sent.cents))} for {sent.to}, paid once.
            </p>
          )}
          <p>We'll email the code on {formatLong(calendarDate(sent.on), marketToday())}.</p>
          <Button kind="outline" onClick={() => setSent(null)}>
            Send another gift card
          </Button>
        </div>
      </Panel>
    );
  const amount = amountCents(gift.amount);
  const submit = async () => {
    if (!methods || !check() || amount === null) return;
    const body = {
      amount: amount / 100,
      recipientEmail: gift.recipientEmail.trim(),
      message: gift.message.trim(),
      deliverOn: gift.deliverOn,
    };
    const bought = await purchase<{ deliverOn: string }>({
      amount: body.amount,
      send: async (idempotencyKey) =>
        call(calls.buyGiftCard, { body: { ...body, ...(await meansOf(paying, methods)) } }, { idempotencyKey }),
      load: () => ({ deliverOn: body.deliverOn }),
    });
    if (!bought) return;
    setSent({ to: gift.recipientEmail.trim(), on: bought.deliverOn, cents: amount });
    clear();
    setPaying(emptyPaying);
    void load();
  };
  if (question) return question;
  return (
    <Form onSubmit={() => void submit()} problems={problems}>
      <div className={s.form}>
        <RadioChips
          legend="Amount"
          chips={AMOUNTS.map((dollars) => ({ value: String(dollars), label: `$${dollars}` }))}
          value={gift.amount}
          onChange={(value) => put({ amount: value })}
        />
        <Field
          label="Or another amount, in dollars"
          hint={`From $${GIFT_CARD_MIN / 100} to $${GIFT_CARD_MAX / 100}`}
          {...field("amount")}
        >
          <TextInput
            inputMode="decimal"
            value={gift.amount}
            onChange={(event) => put({ amount: event.target.value })}
          />
        </Field>
        <div>
          <Field label="Recipient’s email" {...field("recipientEmail")}>
            <TextInput
              type="email"
              autoComplete="off"
              value={gift.recipientEmail}
              onChange={(event) => put({ recipientEmail: event.target.value })}
            />
          </Field>
          <EmailHint email={gift.recipientEmail} onAccept={(recipientEmail) => put({ recipientEmail })} />
        </div>
        <Field
          label="Message (optional)"
          aside={<CharacterCount length={gift.message.length} max={MESSAGE_MAX} />}
          {...field("message")}
        >
          <TextArea
            rows={3}
            maxLength={MESSAGE_MAX}
            value={gift.message}
            onChange={(event) => put({ message: event.target.value })}
          />
        </Field>
        <Field label="Delivery date" {...field("deliverOn")}>
          <TextInput
            type="date"
            min={marketToday()}
            max={lastGiftDay(marketToday())}
            value={gift.deliverOn}
            onChange={(event) => put({ deliverOn: event.target.value })}
          />
        </Field>
        <Panel as="section" label="Payment">
          <div className={s.form}>
            <h2>Payment</h2>
            {unread ? (
              <ErrorState message={unread} onRetry={() => void load()} />
            ) : (
              methods && (
                <PayWith
                  methods={methods}
                  paying={paying}
                  problems={problems}
                  onChange={setPaying}
                  use={{ kind: "payment", cents: amount ?? GIFT_CARD_MIN, saves: false }}
                />
              )
            )}
          </div>
        </Panel>
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        <Button
          type="submit"
          size="lg"
          wide
          disabled={!methods}
          busy={running !== null && (running === "resume" ? CHECKING : "Paying…")}
        >
          Buy the gift card{amount === null ? "" : ` · ${formatUsd(cents(amount))}`}
        </Button>
      </div>
    </Form>
  );
}
