import { useMarketNow } from "@marketday/client/clock.ts";
import type { Quote } from "@marketday/contracts/checkout";
import { addDollars } from "@marketday/domain/money";
import { formatCloses } from "@marketday/domain/order";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import type { ReactNode } from "react";

import { AlertBox } from "../../features/auth/alert-box.tsx";
import { Totals } from "../../features/orders/totals.tsx";
import { config } from "../../lib/boot.ts";
import type { Phase } from "./checkout-state.ts";
import type { Refusal } from "./refusal.ts";

import s from "./review.module.css";

interface ReviewProps {
  type: "delivery" | "pickup";
  quote: Quote | null;
  stale: boolean;
  /** The price could not be loaded. */
  quoteError: string | null;
  onRetryQuote: () => void;
  /** Every step before is done: the button is there. A guest has none of what follows. */
  ready?: boolean;
  phase?: Phase;
  refusal?: Refusal | null;
  charges?: boolean;
  onPlace?: () => void;
  /** Above the button. */
  children?: ReactNode;
}

/** The receipt with every part of the total, and the one button. */
export function Review({
  type,
  quote,
  stale,
  quoteError,
  onRetryQuote,
  ready,
  phase,
  refusal,
  charges,
  onPlace,
  children,
}: ReviewProps) {
  return (
    <section className={s.review} aria-label="Order total" aria-busy={stale}>
      {quoteError ? (
        <ErrorState message={quoteError} onRetry={onRetryQuote} />
      ) : quote ? (
        <Totals
          dim={stale}
          parts={{
            ...quote,
            type,
            items: addDollars(quote.subtotal, quote.discountAmount),
          }}
        />
      ) : (
        <Skeleton label="total">
          <SkeletonPart kind="line" />
          <SkeletonPart kind="line" />
          <SkeletonPart kind="title" />
        </Skeleton>
      )}
      {[quote?.referralNote, quote?.creditNote].map(
        (note) =>
          note && (
            <Banner key={note} tone="information" role="status">
              {note}
            </Banner>
          ),
      )}
      {refusal?.kind === "error" && (
        <AlertBox {...(refusal.title ? { title: refusal.title } : {})}>
          {refusal.message}
          {refusal.title && " Nothing was charged, and everything you typed is still here."}
        </AlertBox>
      )}
      {refusal?.kind === "total_changed" && quote && (
        <AlertBox tone="warning" title={refusal.message}>
          {stale
            ? "You have not been charged."
            : `It is ${formatMoney(quote.orderTotal)} now. You have not been charged.`}
        </AlertBox>
      )}
      {ready && quote && (
        <>
          {children}
          <Button
            size="lg"
            wide
            disabled={stale || quoteError !== null}
            busy={phase?.kind === "placing" && (phase.slow ? "Still working on it…" : "Placing your order…")}
            onClick={() => onPlace?.()}
          >
            Place order · {formatMoney(quote.amountDue)}
          </Button>
          <Small quote={quote} charges={charges === true} />
        </>
      )}
    </section>
  );
}

/** When money moves, and who to ask. */
function Small({ quote, charges }: { quote: Quote; charges: boolean }) {
  const now = useMarketNow();
  const closes = formatCloses(now, new Date(quote.cutoff), quote.timeZone);
  const moved = charges && closes ? `Your card is authorized now and charged when the order ${closes}.` : null;
  return (
    <p className={s.small}>
      {[moved, "Until then you can change it. If something sells out we refund it."].filter(Boolean).join(" ")}
      {config.supportPhone && ` Questions? ${config.supportPhone}`}
    </p>
  );
}
