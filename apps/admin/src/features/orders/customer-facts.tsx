import { useMarketNow } from "@marketday/client/clock.ts";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { dateInZone, formatDay } from "@marketday/domain/calendar-date";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Money } from "@marketday/ui/price.tsx";
import type { ReactNode } from "react";

import * as t from "#messages/orders";

import { paths } from "../../lib/paths.ts";
import { useCan } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { Section } from "./section.tsx";

import s from "./orders.module.css";

/** Who ordered, as far as the person's role may read it, and the note. */
export function CustomerFacts({ order }: { order: OrderBox }) {
  const { customer, address, notes } = order;
  return (
    <Section id="order-customer" title={t.facts} note={customer && <CustomerLink id={customer.id} />}>
      {customer === null ? <p className={s.quiet}>{t.accountGone}</p> : <Facts order={order} customer={customer} />}
      {address !== null && (
        <address className={s.address}>
          <span>{[address.address, address.address2].filter(Boolean).join(", ")}</span>
          <span>{`${address.city}, ${address.state} ${address.zipCode}`}</span>
          {address.instructions && <span>{address.instructions}</span>}
        </address>
      )}
      {notes !== "" && (
        <p className={s.note} aria-label={t.note}>
          <Icon name="memo" size="sm" />
          <span>{notes}</span>
        </p>
      )}
    </Section>
  );
}

/** To who ordered, for a role that reads customers. */
function CustomerLink({ id }: { id: number }) {
  const canRead = useCan("people.read");
  const { to } = useHubFilter();
  return (
    canRead && (
      <Link to={to(paths.customer(id))} aria-label={t.openCustomer} className={s.link}>
        {t.open}
      </Link>
    )
  );
}

/** It breaks before the "@" first. */
const Email = ({ address }: { address: string }) => {
  const at = address.lastIndexOf("@");
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
};

function Facts({ order: { hub }, customer }: { order: OrderBox; customer: NonNullable<OrderBox["customer"]> }) {
  const now = useMarketNow();
  const { orders, since, credit, email, phone } = customer;
  const first =
    since === null ? null : formatDay(dateInZone(new Date(since), hub.timeZone), dateInZone(now, hub.timeZone));
  const facts: [string, ReactNode][] = [
    [t.orders, t.ordersSince(orders, first)],
    [t.storeCredit, <Money key="credit" amount={credit} />],
    [t.phone, phone || t.none],
    [t.email, email ? <Email key="email" address={email} /> : t.none],
  ];
  return (
    <dl className={s.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
