import { useAction } from "@marketday/client/forms/use-action.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import type { Purchase as Found } from "@marketday/contracts/payments";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";

import { isKeyTaken, mayHavePaid, pause } from "../../features/checkout/place.ts";
import { call } from "../../lib/api.ts";
import { endPayment, openPaymentKey, type PaymentName, startPayment } from "../../lib/open-payment.ts";
import { BankQuestion } from "../checkout/panels.tsx";
import { usePaying } from "../shell/host.ts";
import { answerBank, forgetToken, usesStripe } from "./stripe-session.ts";

/** Shown while the bank has not decided. */
export const BANK_UNDECIDED = "Your bank has not answered yet. Please try again.";

/** Shown while the result of an earlier payment is looked up. */
export const CHECKING = "Checking your last payment…";

interface Challenge {
  challenge: { paymentId: string; clientSecret: string };
}

interface Purchase<T> {
  /** Dollars, for the bank's question. */
  amount: number;
  send: (idempotencyKey: string) => Promise<T | Challenge>;
  /** The result once the bank's question was answered. */
  load: () => T | Promise<T>;
}

interface PurchaseOptions {
  name: PaymentName;
  /** An earlier payment, whose response never came, has bought this. */
  onFound: (found: Found) => void | Promise<void>;
}

/** How often a purchase in progress is polled at most, each second. */
const MAX_POLLS = 60;

/**
 * Payments outside checkout. While the result of one is unknown, its key is kept in the tab: the next press, and the next time
 * the frame is opened, first look for that result, so that nothing is paid twice (docs/product.md §7 Frames). The bank's
 * question is its own page with Stripe; with the test provider it is `question`, which replaces the form.
 */
export function usePurchase({ name, onFound }: PurchaseOptions) {
  const { running, error, attempt } = useAction();
  const [open, setOpen] = useState<{ amount: number | null; answer: (approve: boolean) => void } | null>(null);
  usePaying(running !== null);

  const askBank = async (clientSecret: string, amount: number | null): Promise<boolean> => {
    if (usesStripe) {
      await answerBank(clientSecret);
      return true;
    }
    return new Promise((resolve) =>
      setOpen({
        amount,
        answer: (approve) => {
          setOpen(null);
          resolve(approve);
        },
      }),
    );
  };
  /** Answers the bank's challenge. `amount` null: of an earlier payment. @throws ApiError 402 declined */
  const complete = async (
    key: string,
    { challenge: { paymentId, clientSecret } }: Challenge,
    amount: number | null,
  ) => {
    const approve = await askBank(clientSecret, amount);
    const completed = await call(
      calls.completePurchase,
      { params: { paymentId }, body: { approve } },
      { idempotencyKey: `${key}-bank` },
    );
    if ("challenge" in completed) throw new Error(BANK_UNDECIDED);
  };
  /** What the open payment bought; null: nothing, and its key is free. */
  const find = async (key: string): Promise<Found | null> => {
    for (let poll = 1; ; poll += 1) {
      try {
        const answer = await call(calls.resumePurchase, { body: { key } });
        if (!("challenge" in answer)) return answer;
        await complete(key, answer, null);
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        if (failure.code === "no_attempt") return null;
        if (failure.code !== "still_running" || poll > MAX_POLLS) throw failure;
        await pause(1000 * (failure.retryAfter ?? 1));
      }
    }
  };
  const settle = async <T,>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (failure) {
      if (failure instanceof ApiError && !mayHavePaid(failure)) endPayment(name);
      throw failure;
    } finally {
      forgetToken();
    }
  };
  /** Null: an earlier payment was found, and `onFound` has it. */
  const pay = async <T extends object>({ amount, send, load }: Purchase<T>): Promise<T | null> => {
    const open = openPaymentKey(name);
    if (open !== null && (await resume(open))) return null;
    const key = startPayment(name);
    try {
      const answer = await send(key);
      if ("challenge" in answer) {
        await complete(key, answer, amount);
        const bought = await load();
        endPayment(name);
        return bought;
      }
      endPayment(name);
      return answer;
    } catch (failure) {
      // The earlier request has arrived after all.
      if (failure instanceof ApiError && isKeyTaken(failure) && (await resume(key))) return null;
      throw failure;
    }
  };
  const resume = async (key: string): Promise<boolean> => {
    const found = await find(key);
    if (!found) return false;
    await onFound(found);
    endPayment(name);
    return true;
  };
  const begin = useEffectEvent(() => {
    const key = openPaymentKey(name);
    if (key !== null) void attempt("resume", () => settle(() => resume(key)));
  });
  useEffect(() => begin(), []);

  const question: ReactNode = open && <BankQuestion amount={open.amount} busy={false} onAnswer={open.answer} />;
  return {
    running,
    error,
    question,
    /** @returns null: it failed, with `error`, an earlier payment was found, or another one is running. */
    purchase: <T extends object>(purchase: Purchase<T>): Promise<T | null> =>
      attempt("buy", () => settle(() => pay(purchase))),
  };
}
