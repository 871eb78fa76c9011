import { type ReactNode, useState } from "react";

import { BankQuestion } from "../checkout/panels.tsx";
import { answerBank, usesStripe } from "./stripe-session.ts";

/**
 * The bank's question outside checkout. `ask` settles when it was answered: with Stripe by the bank's own page, with the
 * test provider by the buttons of `question`, which stands where the form does.
 */
export function useBank() {
  const [open, setOpen] = useState<{ amount: number; answer: (approve: boolean) => void } | null>(null);
  const ask = async (clientSecret: string, amount: number): Promise<boolean> => {
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
  const question: ReactNode = open && <BankQuestion amount={open.amount} busy={false} onAnswer={open.answer} />;
  return { ask, question };
}

/** Shown while the bank has not decided. */
export const BANK_UNDECIDED = "Your bank has not answered yet. Please try again.";
