import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Panel } from "@marketday/ui/panel.tsx";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";

import { answerBank } from "../payment/stripe-session.ts";
import { orderPlaced, closeFrame } from "../shell/host.ts";
import type { ShortItem } from "./refusal.ts";

import s from "./panels.module.css";

/** A notice that replaces the steps until it is answered. It takes the focus. */
function Notice({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Panel as="section" label={title}>
      <div className={s.notice}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </Panel>
  );
}

/** The bank asks the shopper. With the test provider its page is these two buttons. */
export function BankQuestion({
  amount,
  busy,
  onAnswer,
}: {
  /** Dollars; null: of an earlier payment, which may have been another amount. */
  amount: number | null;
  busy: boolean;
  onAnswer: (approve: boolean) => void;
}) {
  return (
    <Notice title="Your bank needs to verify you">
      <p>
        {amount === null ? (
          "Approve the payment that you began?"
        ) : (
          <>
            Approve the payment of <strong>{formatMoney(amount)}</strong>?
          </>
        )}{" "}
        This is the test bank; a real one would ask for a code or your fingerprint.
      </p>
      <div className={s.buttons}>
        <Button size="lg" busy={busy && "Checking with your bank…"} onClick={() => onAnswer(true)}>
          Approve
        </Button>
        <Button kind="outline" size="lg" disabled={busy} onClick={() => onAnswer(false)}>
          Decline
        </Button>
      </div>
    </Notice>
  );
}

/** The bank asks on its own page, which Stripe shows above this one; the server asks Stripe what was answered. */
export function BankPage({ clientSecret, onAnswered }: { clientSecret: string; onAnswered: () => void }) {
  const [state, setState] = useState<"asking" | "failed">("asking");
  const answered = useRef(onAnswered);
  useEffect(() => void (answered.current = onAnswered));
  const ask = useCallback(() => {
    setState("asking");
    answerBank(clientSecret).then(
      () => answered.current(),
      () => setState("failed"),
    );
  }, [clientSecret]);
  useEffect(ask, [ask]);
  return (
    <Notice title="Your bank needs to confirm this payment">
      <p>Complete your bank's check to continue. Nothing is charged before that.</p>
      {state === "failed" && (
        <div className={s.buttons}>
          <Button size="lg" onClick={ask}>
            Ask the bank again
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** Items sold out before payment. Nothing was charged. */
export function SoldOut({
  message,
  items,
  onGoOn,
}: {
  message: string;
  items: ShortItem[];
  onGoOn: (() => void) | null;
}) {
  return (
    <Notice title={message}>
      <ul className={s.short}>
        {items.map(({ variantId, title, wanted, left }) => (
          <li key={variantId}>
            <strong>{title}</strong>
            <span>{left > 0 ? `${left} left of the ${wanted} you wanted` : "Sold out, on your watch list now"}</span>
          </li>
        ))}
      </ul>
      <p>You have not been charged.</p>
      <div className={s.buttons}>
        <Button size="lg" onClick={() => closeFrame(true)}>
          Back to the cart
        </Button>
        {onGoOn && (
          <Button kind="outline" size="lg" onClick={onGoOn}>
            Continue with the rest
          </Button>
        )}
      </div>
    </Notice>
  );
}

/** The shopper's market is another one now: the page is opened again for it, with the choices that were made. */
export const MarketChanged = ({ message }: { message: string }) => (
  <Notice title={message}>
    <p>You have not been charged.</p>
    <div className={s.buttons}>
      <Button size="lg" onClick={() => location.reload()}>
        Review my order
      </Button>
    </div>
  </Notice>
);

/** Another tab, or an earlier try, has bought this cart: with the order's number where it is known. */
export const AlreadyBought = ({ message, orderId }: { message: string; orderId: number | null }) => (
  <Notice title={message}>
    {orderId === null ? (
      <p>If it was you, the confirmation is in your email.</p>
    ) : (
      <p>
        It&apos;s order <strong>#{orderId}</strong>.
      </p>
    )}
    <div className={s.buttons}>
      {orderId !== null && (
        <Button size="lg" onClick={() => orderPlaced(orderId)}>
          See your order
        </Button>
      )}
      <Button kind={orderId === null ? "primary" : "outline"} size="lg" onClick={() => closeFrame(true)}>
        Back to the market
      </Button>
    </div>
  </Notice>
);

/** Until the app has gone to the confirmation. */
export const Placed = ({ orderId }: { orderId: number }) => (
  <Notice title="Your order is placed">
    <p>
      We have your order <strong>#{orderId}</strong>. Opening it now…
    </p>
  </Notice>
);
