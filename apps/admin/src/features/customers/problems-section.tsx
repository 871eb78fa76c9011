import { useMarketNow } from "@marketday/client/clock.ts";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";

import * as t from "#messages/customers";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { Section } from "../orders/section.tsx";
import type { Customer } from "./api.ts";
import { CellLink } from "./cell-link.tsx";
import { formatDate } from "./format.ts";

import s from "./customers.module.css";

/** What they reported, newest first. */
export function ProblemsSection({ customer: { problems }, zone }: { customer: Customer; zone: string }) {
  const now = useMarketNow();
  return (
    <Section id="customer-problems" title={t.problemsTitle} note={problems.length > 0 && problems.length}>
      {problems.length === 0 ? (
        <p className={s.quiet}>{t.noProblems}</p>
      ) : (
        <ul className={s.rows}>
          {problems.map(({ id, orderId, at, message, isOpen }) => (
            <li key={id} className={s.rowItem}>
              <div>
                <span className={s.message}>{message}</span>
                <small>
                  {`${formatDate(at, zone, now)}, `}
                  <CellLink to={paths.order(orderId)}>{formatOrderNumber(orderId)}</CellLink>
                </small>
              </div>
              <div className={s.rowEnd}>
                <StatusMark shape={isOpen ? "due" : "ok"} quiet>
                  {isOpen ? t.problemOpen : t.problemSettled}
                </StatusMark>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
