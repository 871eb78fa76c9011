import type { DaySheets } from "@marketday/contracts/admin/days";
import { Mark, type MarkShape } from "@marketday/ui/admin/mark.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { type FormEvent, useId, useRef, useState } from "react";

import * as t from "#messages/day";

import { findMade, sheetUrl } from "./api.ts";
import { useCreateSheets } from "./use-create-sheets.ts";

import s from "./day.module.css";

const parseDrivers = (text: string): number | null => {
  const drivers = Number(text.trim());
  return /^\d{1,3}$/.test(text.trim()) && drivers >= 1 ? drivers : null;
};

interface NextStep {
  shape: MarkShape;
  heading: string;
  body: string;
  /** Of the button that makes sheets; null: they are made for these orders and drivers. */
  make: string | null;
}

/** What is to be done with the sheets of a frozen day for a number of drivers; null: none that could be read. */
function nextStepOf({ versions, isStale, boxes }: DaySheets, drivers: number | null, printed: number): NextStep {
  const [newest] = versions;
  const version = newest?.version ?? 1;
  const next = version + 1;
  if (newest?.madeAt === null || newest === undefined)
    return { shape: "due", heading: t.notMadeHeading, body: t.notMadeBody(boxes), make: t.create };
  if (isStale)
    return { shape: "due", heading: t.stale(version), body: t.staleBody(version, next), make: t.makeNext(next) };
  if (drivers !== null && drivers !== printed)
    return {
      shape: "due",
      heading: t.otherDrivers(drivers),
      body: t.otherDriversBody,
      make: t.makeWithDrivers(next, drivers),
    };
  return { shape: "done", heading: t.ready(version), body: t.readyBody, make: null };
}

/** The one thing to do next with the sheets of a frozen day, and the number of drivers they are made for. */
export function NextCard({ day }: { day: DaySheets }) {
  const card = useRef<HTMLElement>(null);
  const printed = findMade(day)?.drivers ?? 1;
  // Null: as in the newest version, also when a colleague makes the next one.
  const [typed, setTyped] = useState<string | null>(null);
  const { create, isMaking, failure } = useCreateSheets(day, (made) => {
    // The event of the server may come before its answer: what was typed since then stays, and so does the focus.
    setTyped((now) => (now !== null && parseDrivers(now) === made ? null : now));
    if (!(document.activeElement instanceof HTMLInputElement)) card.current?.focus();
  });
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const text = typed ?? String(printed);
  const drivers = parseDrivers(text);
  const { shape, heading, body, make } = nextStepOf(day, drivers, printed);
  const [newest] = day.versions;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(drivers === null ? t.driversInvalid : null);
    if (drivers === null) document.getElementById(`${id}-drivers`)?.focus();
    else if (make !== null) create(typed === null ? undefined : drivers);
  };
  return (
    <section className={s.card} aria-labelledby={`${id}-heading`} ref={card} tabIndex={-1}>
      <div className={s.cardWords}>
        <h2 id={`${id}-heading`}>
          <Mark shape={shape} size="lg" />
          <span>{heading}</span>
        </h2>
        <p>{body}</p>
      </div>
      <form className={s.make} onSubmit={submit} noValidate>
        <Field label={t.drivers} id={`${id}-drivers`} error={problem}>
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            value={text}
            onChange={(event) => {
              setTyped(event.target.value);
              setProblem(null);
            }}
          />
        </Field>
        <div className={s.buttons}>
          {make !== null && (
            <Button type="submit" busy={isMaking && t.making}>
              {make}
            </Button>
          )}
          {newest && newest.madeAt !== null && day.files.includes("all-sheets.pdf") && (
            <ButtonLink
              kind={make === null ? "primary" : "outline"}
              icon="print"
              to={sheetUrl(day, newest.version, "all-sheets.pdf")}
              target="_blank"
            >
              {make === null ? t.printAll : t.printOld(newest.version)}
            </ButtonLink>
          )}
        </div>
      </form>
      {failure !== null && (
        <p className={s.failure} role="alert">
          {failure}
        </p>
      )}
    </section>
  );
}
