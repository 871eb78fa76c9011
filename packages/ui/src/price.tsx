import * as t from "#messages";

import { cx } from "./cx.ts";
import { formatMoney } from "./money.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

import s from "./price.module.css";

interface PriceProps {
  /** Dollars. */
  price: number;
  salePrice?: number | null;
  size?: "tile" | "row" | "detail";
}

/** A price as on a market sign, the cents raised; read aloud as "$6.50". On sale: "$11.00, was $14.50". */
export function Price({ price, salePrice = null, size = "tile" }: PriceProps) {
  const now = formatMoney(salePrice ?? price);
  const [dollars, cents] = now.split(".");
  return (
    <span className={cx(s.price, s[size], salePrice !== null && s.sale)} translate="no">
      <span className={s.sign} aria-hidden="true">
        {dollars}
        <sup className={s.cents}>{cents}</sup>
      </span>
      <VisuallyHidden>{now}</VisuallyHidden>
      {salePrice !== null && (
        <s className={s.was}>
          <VisuallyHidden>{t.thenWas}</VisuallyHidden>
          {formatMoney(price)}
        </s>
      )}
    </span>
  );
}

interface MoneyProps {
  /** Dollars; a negative amount gets a real minus. */
  amount: number;
  /** Struck through, what it was before: read with "was". */
  was?: number | null;
  /** The old price on a separate line, for narrow columns. */
  stacked?: boolean;
}

/** Plain money for carts, orders and receipts: tabular figures, no raised cents. */
export const Money = ({ amount, was = null, stacked }: MoneyProps) => (
  <span className={cx(s.money, stacked && s.stacked)} translate="no">
    {was !== null && was !== amount && (
      <>
        <s className={s.was}>
          <VisuallyHidden>{t.was}</VisuallyHidden>
          {formatMoney(was)}
        </s>{" "}
      </>
    )}
    {formatMoney(amount)}
  </span>
);
