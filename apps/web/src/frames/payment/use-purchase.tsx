import * as calls from "@marketday/contracts/calls";
import { type ReactNode, useRef, useState } from "react";

import { ApiError, call } from "../../lib/api.ts";
import { useAction } from "../../lib/use-action.ts";
import { BankQuestion } from "../checkout/panels.tsx";
import { AttemptKeys, isOutcomeUnknown } from "../checkout/place.ts";
import { answerBank, forgetToken, usesStripe } from "./stripe-session.ts";

/** Shown while the bank has not decided. */
export const BANK_UNDECIDED = "Your bank has not answered yet. Please try again.";

interface Challenge {
  challenge: { paymentId: string; clientSecret: string };
}

interface Purchase<T> {
  /** What is bought and how; when it changes, it is another attempt. */
  about: unknown;
  /** Dollars, for the bank's question. */
  amount: number;
  send: (idempotencyKey: string) => Promise<T | Challenge>;
  /** The result once the bank's question was answered. */
  load: () => T | Promise<T>;
}

/**
 * Payments outside checkout. A key per attempt: pressed again after a lost answer, it is the same one, so that nothing is
 * paid twice. The bank's question is its own page with Stripe; with the test provider it is `question`, which replaces
 * the form.
 */
export function usePurchase() {
  const { running, error, attempt } = useAction();
  const keys = useRef(new AttemptKeys());
  const [open, setOpen] = useState<{ amount: number; answer: (approve: boolean) => void } | null>(null);

  const askBank = async (clientSecret: string, amount: number): Promise<boolean> => {
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
  const pay = async <T extends object>({ about, amount, send, load }: Purchase<T>): Promise<T> => {
    const idempotencyKey = keys.current.keyFor(about);
    let isKept = false;
    try {
      const answer = await send(idempotencyKey);
      if (!("challenge" in answer)) return answer;
      const { paymentId, clientSecret } = answer.challenge;
      const approve = await askBank(clientSecret, amount);
      const completed = await call(
        calls.completePurchase,
        { params: { paymentId }, body: { approve } },
        { idempotencyKey: `${idempotencyKey}-bank` },
      );
      if ("challenge" in completed) throw new Error(BANK_UNDECIDED);
      return await load();
    } catch (failure) {
      isKept = failure instanceof ApiError && isOutcomeUnknown(failure);
      throw failure;
    } finally {
      if (!isKept) keys.current = new AttemptKeys();
    }
  };
  const question: ReactNode = open && <BankQuestion amount={open.amount} busy={false} onAnswer={open.answer} />;
  return {
    running,
    error,
    question,
    /** @returns null: it failed, with `error`, or another one is running. */
    purchase: async <T extends object>(purchase: Purchase<T>): Promise<T | null> => {
      const bought = await attempt("buy", () => pay(purchase));
      forgetToken();
      return bought;
    },
  };
}
