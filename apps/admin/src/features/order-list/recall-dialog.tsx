import { marketNow } from "@marketday/client/clock.ts";
import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { useSettled } from "@marketday/client/use-settled.ts";
import { addDays, dateFromUtc, isCalendarDate } from "@marketday/domain/calendar-date";
import { printQuery } from "@marketday/domain/list-query";
import type { OrderToken } from "@marketday/domain/order-query";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useQueries } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";

import * as lists from "#messages/list";
import * as t from "#messages/order-list";

import { valuesQuery } from "../list/token-titles.ts";
import { ORDER_FILTER } from "./order-filter.ts";

import s from "./order-list.module.css";

const ids = controlIds("recall", { what: "", from: "", to: "" });
const FORM = "recall-form";
const PAUSE_MS = 200;

interface Choice {
  token: OrderToken;
  title: string;
  detail: string;
}

/** Products and vendors that a text finds, the products first. */
function useChoices(text: string): { choices: Choice[]; isKnown: boolean } {
  const settled = useSettled(text.trim(), PAUSE_MS);
  const answers = useQueries({
    queries: (["product", "vendor"] as const).map((name) => ({
      ...valuesQuery(ORDER_FILTER.list, ORDER_FILTER.readValues, name, settled),
      enabled: settled !== "",
    })),
  });
  if (settled !== text.trim() || settled === "") return { choices: [], isKnown: false };
  const choices = (["product", "vendor"] as const).flatMap((name, at) =>
    (answers[at]?.data ?? []).slice(0, 5).map(({ value, title, detail }) => ({
      token: { name, value },
      title,
      detail: t.ofVendor(t.recallKinds[name], detail),
    })),
  );
  return { choices, isKnown: answers.every(({ data }) => data !== undefined) };
}

/** Of a dialog: who got a product, or anything of a vendor, between two days: a form that fills the filter. */
export default function RecallDialog({ onFind, onClose }: { onFind: (q: string) => void; onClose: () => void }) {
  const list = useId();
  const today = dateFromUtc(marketNow());
  const [text, setText] = useState("");
  const [choice, setChoice] = useState<Choice | null>(null);
  const [at, setAt] = useState(0);
  const [from, setFrom] = useState<string>(addDays(today, -14));
  const [to, setTo] = useState<string>(today);
  const { choices, isKnown } = useChoices(choice ? "" : text);
  const isOpen = choice === null && choices.length > 0;
  const { problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      what: choice === null && t.recallWhatMissing,
      from: !isCalendarDate(from) && t.recallDayMissing,
      to: isCalendarDate(to) ? isCalendarDate(from) && to < from && t.recallDayOrder : t.recallDayMissing,
    }),
  });
  const take = (taken: Choice) => {
    setChoice(taken);
    setText(taken.title);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !isOpen) return;
    if (event.key === "ArrowDown") setAt((at + 1) % choices.length);
    else if (event.key === "ArrowUp") setAt((at <= 0 ? choices.length : at) - 1);
    else if (event.key === "Enter" && choices[at]) take(choices[at]);
    else return;
    event.preventDefault();
  };
  const find = async () => {
    if (!choice) return;
    onFind(
      printQuery({
        tokens: [choice.token, { name: "day", value: from === to ? from : `${from}..${to}` }],
        words: [],
      }),
    );
    onClose();
  };
  return (
    <>
      <DialogTitle>{t.recallTitle}</DialogTitle>
      <DialogBody>
        <Form id={FORM} onSubmit={() => void submit(find)} problems={problems}>
          <p>{t.recallLead}</p>
          <Field label={t.recallWhat} hint={t.recallWhatHint} {...field("what")}>
            <TextInput
              data-autofocus=""
              role="combobox"
              aria-expanded={isOpen}
              aria-controls={list}
              aria-activedescendant={isOpen ? `${list}-${at}` : undefined}
              aria-autocomplete="list"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              value={text}
              onChange={({ target }) => {
                setText(target.value);
                setChoice(null);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
            />
          </Field>
          <div id={list} className={s.choices} role="listbox" aria-label={lists.suggestions} hidden={!isOpen}>
            {isOpen &&
              choices.map((one, place) => (
                // The field has the focus and the keys.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                <div
                  key={`${one.token.name}:${one.token.value}`}
                  id={`${list}-${place}`}
                  className={s.choice}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === at}
                  onPointerDown={(event) => event.preventDefault()}
                  onPointerMove={() => setAt(place)}
                  onClick={() => take(one)}
                >
                  <b>{one.title}</b>
                  <small>{one.detail}</small>
                </div>
              ))}
          </div>
          {isKnown && choices.length === 0 && choice === null && <p role="status">{t.recallNone(text.trim())}</p>}
          <div className={s.days}>
            <Field label={t.recallFrom} {...field("from")}>
              <TextInput type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
            </Field>
            <Field label={t.recallTo} {...field("to")}>
              <TextInput type="date" value={to} onChange={({ target }) => setTo(target.value)} />
            </Field>
          </div>
        </Form>
      </DialogBody>
      <DialogFoot>
        <Button type="submit" form={FORM} wide>
          {t.recallFind}
        </Button>
      </DialogFoot>
    </>
  );
}
