import { formatMoney } from "@marketday/ui/money.ts";
import { type ReactNode, useId } from "react";

import * as t from "#messages/shorts";

import type { DayItem, ShortPlan } from "./api.ts";
import type { BoxShare, CountForm } from "./count-form.ts";

import s from "./short-foot.module.css";

type PlanMoney = NonNullable<ShortPlan["money"]>;

interface ShortFootProps {
  item: DayItem;
  form: CountForm;
  onChange: (change: Partial<CountForm>) => void;
  boxes: readonly BoxShare[];
  /** What the shares cost; undefined until it was read. */
  plan: ShortPlan | undefined;
  /** It is the cost of these shares: older numbers are dimmed. */
  isCurrent: boolean;
  /** The button, with the reason when it does nothing. */
  children: ReactNode;
}

/** What settling does to the shoppers, to who pays and who is notified, with the choices of each, and the button that does it. */
export function ShortFoot({ item, form, onChange, boxes, plan, isCurrent, children }: ShortFootProps) {
  const losing = boxes.filter(({ gets, ordered }) => gets < ordered);
  const units = losing.reduce((sum, { gets, ordered }) => sum + ordered - gets, 0);
  return (
    <div className={s.foot} data-dim={isCurrent ? undefined : ""}>
      <section className={s.part}>
        <h3>{t.shoppers}</h3>
        <strong>{t.boxesLose(losing.length, units)}</strong>
        {plan && <p className={s.cost}>{plan.money ? backWords(plan.money) : t.chargedLater}</p>}
        <Choice
          legend={t.refundTo}
          options={t.refundToOptions}
          value={form.refundTo}
          onChange={(refundTo) => onChange({ refundTo })}
        />
      </section>
      <section className={s.part}>
        <h3>{t.whoPays}</h3>
        <Bearer item={item} bearer={form.bearer} money={plan?.money ?? null} />
        <Choice
          legend={t.whoPays}
          options={t.bearers}
          value={form.bearer}
          onChange={(bearer) => onChange({ bearer })}
        />
      </section>
      <section className={s.part}>
        <h3>{t.whoIsNotified}</h3>
        {plan && !plan.money && <strong>{t.emails(0)}</strong>}
        {plan?.money && (
          <>
            <strong className={s.cost}>{t.emails(plan.mails + plan.vendorMails)}</strong>
            <p className={s.cost}>{t.emailsTo(plan.vendorMails)}</p>
          </>
        )}
        <input
          className={s.reason}
          type="text"
          aria-label={t.reason}
          placeholder={t.reasonHint}
          autoComplete="off"
          maxLength={500}
          value={form.reason}
          onChange={({ target }) => onChange({ reason: target.value })}
        />
      </section>
      <div className={s.do}>{children}</div>
    </div>
  );
}

/** An amount in words; null when it is zero. */
const amount = (dollars: number): string | null => (dollars === 0 ? null : formatMoney(dollars));
const backWords = ({ card, credit, door, uncharged }: PlanMoney): string =>
  t.backTo({ card: amount(card), credit: amount(credit), door: amount(door), uncharged: amount(uncharged) });

interface BearerProps {
  item: DayItem;
  bearer: CountForm["bearer"];
  money: PlanMoney | null;
}

function Bearer({ item: { vendor }, bearer, money }: BearerProps) {
  const name = bearer === "vendor" ? vendor.name : t.market;
  if (!money) return <strong>{name}</strong>;
  const { commission, tip, tax, fees } = money;
  return (
    <>
      <strong className={s.cost}>
        {t.pays(name, formatMoney(bearer === "vendor" ? money.vendor : money.market + commission))}
      </strong>
      <p className={s.cost}>
        {bearer === "vendor"
          ? t.restOfMarket(amount(commission), amount(tip + tax + fees))
          : t.vendorKeeps(vendor.name)}
      </p>
    </>
  );
}

interface ChoiceProps<T extends string> {
  legend: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
}

/** One of two, side by side. */
function Choice<T extends string>({ legend, options, value, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className={s.choice}>
      <legend className="sr">{legend}</legend>
      {(Object.entries(options) as [T, string][]).map(([key, label]) => (
        <label key={key}>
          <input type="radio" name={name} value={key} checked={key === value} onChange={() => onChange(key)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
