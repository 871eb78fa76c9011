import { useMarketNow } from "@marketday/client/clock.ts";
import { dateInZone } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import type { ReactNode } from "react";

import * as t from "#messages/customers";

import { paths } from "../../lib/paths.ts";
import { Section } from "../orders/section.tsx";
import type { Customer } from "./api.ts";
import { CellLink } from "./cell-link.tsx";
import { dietOf, formatDateOf, nameOf } from "./format.ts";

import s from "./customers.module.css";

type Fact = [label: string, value: ReactNode];

const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={s.facts}>
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: t.copied(text) });
  } catch {
    toast({ text: t.notCopied });
  }
}

/** Text to copy; an address breaks before its "@" first. */
function Copyable({ text, label }: { text: string; label: string }) {
  const at = text.lastIndexOf("@");
  return (
    <span className={s.copyable}>
      <span>
        {text.slice(0, Math.max(0, at))}
        {at > 0 && <wbr />}
        {text.slice(Math.max(0, at))}
      </span>
      <Compact size="sm">
        <IconButton icon="copy" label={label} onClick={() => void copy(text)} />
      </Compact>
    </span>
  );
}

/** How they are reached, and where and with what they get and pay their boxes. */
export function ContactSection({ customer }: { customer: Customer }) {
  const { email, phone, pickupPoint, addresses, cards, deletedAt } = customer;
  if (deletedAt !== null) return null;
  const home = addresses.find(({ isDefault }) => isDefault);
  const facts: Fact[] = [
    [t.email, email ? <Copyable text={email} label={t.copyEmail} /> : t.none],
    [t.phone, phone ? <Copyable text={phone} label={t.copyPhone} /> : t.none],
    [t.receives, pickupPoint === null ? (home ? t.doorDelivery : t.noPlace) : t.pickupAt(pickupPoint)],
    [
      t.cards,
      cards.length === 0
        ? t.noCards
        : cards.map((card) => (
            <span key={card} className={s.lineOf}>
              {card}
            </span>
          )),
    ],
  ];
  return (
    <Section id="customer-contact" title={t.contactTitle}>
      <Facts facts={facts} />
      {addresses.map(({ id, address, address2, city, state, zipCode, instructions, isDefault }) => (
        <address key={id} className={s.address}>
          <span>
            {[address, address2].filter(Boolean).join(", ")}
            {isDefault && addresses.length > 1 && <small>{` ${t.defaultAddress}`}</small>}
          </span>
          <span>{`${city}, ${state} ${zipCode}`}</span>
          {instructions && <small>{instructions}</small>}
        </address>
      ))}
    </Section>
  );
}

/** What they chose and agreed to. */
export function AccountSection({ customer, zone }: { customer: Customer; zone: string }) {
  const now = useMarketNow();
  const { autoCheckout, consent, passUntil, referredBy, deletedAt } = customer;
  if (deletedAt !== null) return null;
  const facts: Fact[] = [
    [t.automatic, t.automaticWords[autoCheckout]],
    [t.emails, t.consentWords(consent)],
    [t.texts, consent.texts ? t.yes : t.no],
    [t.diet, dietOf(customer)],
    [t.pass, passUntil === null ? t.none : t.passUntil(formatDateOf(passUntil, dateInZone(now, zone)))],
    [
      t.referredBy,
      referredBy === null ? t.none : <CellLink to={paths.customer(referredBy.id)}>{nameOf(referredBy.name)}</CellLink>,
    ],
  ];
  return (
    <Section id="customer-account" title={t.factsTitle}>
      <Facts facts={facts} />
    </Section>
  );
}
