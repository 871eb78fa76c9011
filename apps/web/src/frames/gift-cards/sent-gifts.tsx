import { problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { cacheAnswer } from "@marketday/client/query-client.ts";
import * as calls from "@marketday/contracts/calls";
import type { GiftCard } from "@marketday/contracts/gift-cards";
import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { isEmail } from "@marketday/domain/text";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { marketToday } from "../../lib/today.ts";
import { useCustomerId } from "../shell/use-account.ts";
import { EmailHint } from "./email-hint.tsx";

import s from "./gift-cards.module.css";

const CHIPS = { waiting: "Waiting", sent: "Sent", failing: "Not delivered yet", redeemed: "Redeemed" } as const;

/** Where a card is, in a sentence. */
function formatState({ state, deliverOn }: GiftCard): string {
  if (state === "waiting") return `We'll email it on ${formatLong(calendarDate(deliverOn), marketToday())}.`;
  if (state === "failing") return "The recipient's mail server did not accept it so far. Please check the address.";
  return state === "sent" ? "Emailed, and not redeemed yet." : "The recipient has redeemed it.";
}

const againLabel = ({ state }: GiftCard) => (state === "waiting" ? "Change the address" : "Send again");

/** The gift cards that the customer bought, each with its state, and the way to send it again. */
export function SentGifts() {
  const client = useQueryClient();
  const queryKey = ["gift-cards", useCustomerId()];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(calls.listGiftCards, undefined, { signal }),
    // A card was bought or redeemed since.
    staleTime: 0,
  });
  const [editing, setEditing] = useState<number | null>(null);
  if (!data)
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="your gift cards">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  if (data.length === 0)
    return (
      <EmptyState icon="gift" title="No gift cards yet">
        The gift cards that you buy show up here.
      </EmptyState>
    );
  const adopt = (next: GiftCard) => {
    cacheAnswer<GiftCard[]>(client, queryKey, (cards) => cards?.map((card) => (card.id === next.id ? next : card)));
    setEditing(null);
  };
  return (
    <ul className={s.sent} aria-label="Gift cards you bought">
      {data.map((card) => (
        <li key={card.id} className={s.gift}>
          <div className={s.top}>
            <strong>{formatMoney(card.amount)}</strong>
            <Chip tone={card.state === "failing" ? "tomato" : card.state === "waiting" ? "plain" : "kale"}>
              {CHIPS[card.state]}
            </Chip>
          </div>
          <p className={s.address}>{card.recipientEmail ?? "The recipient's account was deleted"}</p>
          <p className={s.note}>{formatState(card)}</p>
          {card.message && <p className={s.note}>“{card.message}”</p>}
          {editing === card.id ? (
            <SendAgain card={card} onSent={adopt} onClose={() => setEditing(null)} onRefused={() => void refetch()} />
          ) : (
            card.canResend && (
              <div className={s.buttons}>
                <Button
                  kind="outline"
                  onClick={() => setEditing(card.id)}
                  aria-label={`${againLabel(card)}: ${formatMoney(card.amount)} for ${card.recipientEmail ?? "a deleted account"}`}
                >
                  {againLabel(card)}
                </Button>
              </div>
            )
          )}
        </li>
      ))}
    </ul>
  );
}

interface SendAgainProps {
  card: GiftCard;
  onSent: (card: GiftCard) => void;
  onClose: () => void;
  /** Something else happened to the card: it is fetched again. */
  onRefused: () => void;
}

/** The address, and what becomes of the earlier code. */
function SendAgain({ card, onSent, onClose, onRefused }: SendAgainProps) {
  const [email, setEmail] = useState(card.recipientEmail ?? "");
  const ids = { recipientEmail: `gift-again-${card.id}` };
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { recipientEmail: !isEmail(email) && "Enter the recipient's email address" }),
  });
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const send = async () => {
    const body = { recipientEmail: email.trim(), version: card.version };
    const sent = await call(calls.resendGiftCard, { params: { id: card.id }, body }).catch((failure: unknown) => {
      onRefused();
      throw failure;
    });
    toast({
      text:
        sent.state === "waiting" && card.state === "waiting"
          ? "The address is changed"
          : "Your gift card is on its way",
    });
    onSent(sent);
  };
  return (
    <Form onSubmit={() => void submit(send)} problems={problems}>
      <div className={s.form}>
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        <div>
          <Field label="Recipient’s email" {...field("recipientEmail")}>
            <TextInput
              ref={input}
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <EmailHint email={email} onAccept={setEmail} />
        </div>
        <p className={s.note}>
          {card.state === "waiting"
            ? `Only this address gets the code, on ${formatLong(calendarDate(card.deliverOn), marketToday())}.`
            : "We'll send a new code. The earlier one stops working at once."}
        </p>
        <div className={s.buttons}>
          <Button type="submit" busy={running !== null && "Sending…"}>
            Send
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Form>
  );
}
