import type { OrderBox } from "@marketday/contracts/admin/orders";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/orders";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { Section } from "./section.tsx";

import s from "./orders.module.css";

type Line = OrderBox["lines"][number];

/** The box as it is packed, with what changed since it was ordered, and its receipt. */
export function BoxLines({ order }: { order: OrderBox }) {
  const { lines, totals, total, credit } = order;
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <Section id="order-box" title={t.box} note={lines.length > 0 && t.lineCount(lines.length, units)}>
      {lines.length === 0 ? (
        <p className={s.quiet}>{t.noLines}</p>
      ) : (
        <ul className={s.lines}>
          {lines.map((line) => (
            <BoxLine key={`${line.orderId} ${line.variantId}`} line={line} isAddOn={line.orderId !== order.id} />
          ))}
        </ul>
      )}
      <dl className={s.receipt}>
        {totals.map(({ row, amount }) => (
          <div key={row}>
            <dt>{t.receiptRows[row]}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ))}
      </dl>
      <dl className={s.totals}>
        <div>
          <dt>{t.totalNow}</dt>
          <dd>
            <Money amount={total} />
          </dd>
        </div>
        {credit > 0 && (
          <div className={s.credit}>
            <dt>{t.paidWithCredit}</dt>
            <dd>
              <Money amount={credit} />
            </dd>
          </div>
        )}
      </dl>
    </Section>
  );
}

function BoxLine({ line, isAddOn }: { line: Line; isAddOn: boolean }) {
  const { title, vendor, image, storage, ordered, quantity, each, orderId } = line;
  const isShort = quantity < ordered;
  const amount = Math.round(each * 100 * quantity) / 100;
  const facts = [t.storages[storage] ?? storage, ...(isAddOn ? [t.otherOrder(formatOrderNumber(orderId))] : [])];
  return (
    <li className={s.line} data-short={isShort ? "" : undefined}>
      <span className={s.picture}>
        {image !== null && (
          <img src={`${image}/160.webp`} alt="" width={34} height={34} loading="lazy" decoding="async" />
        )}
      </span>
      <div className={s.lineWords}>
        <b>{title}</b>
        <small>
          <VendorMark id={vendor.id} name={`${vendor.name}${t.lineFacts(facts)}`} />
        </small>
      </div>
      <span className={s.quantity}>
        {quantity !== ordered && (
          <s>
            <VisuallyHidden>{t.before}</VisuallyHidden>
            {ordered}
          </s>
        )}
        <span>{isShort ? `${quantity}, ${t.short(ordered - quantity)}` : quantity}</span>
      </span>
      <span className={s.amount}>
        <Money amount={amount} />
      </span>
    </li>
  );
}
