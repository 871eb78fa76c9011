import type { DaySheets } from "@marketday/contracts/admin/days";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { type FormEvent, useId, useRef, useState } from "react";

import * as t from "#messages/day";

import { sheetUrl } from "./api.ts";
import { useCreateSheets } from "./use-create-sheets.ts";

import s from "./day.module.css";

const parseDrivers = (text: string): number | null => {
  const drivers = Number(text.trim());
  return /^\d{1,3}$/.test(text.trim()) && drivers >= 1 ? drivers : null;
};

/** The one thing to do next with the sheets of a closed day, and the number of drivers they are made for. */
export function MakeSheets({ day }: { day: DaySheets }) {
  const [newest] = day.versions;
  const ready = useRef<HTMLDivElement>(null);
  const { create, isMaking, failure } = useCreateSheets(day.hub.slug, day.day, () => ready.current?.focus());
  const current = newest?.drivers ?? day.versions.find(({ drivers }) => drivers !== null)?.drivers ?? 1;
  // Null: as in the newest version, also when a colleague makes the next one.
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useId();
  if (!newest) return null;
  const text = typed ?? String(current);
  const drivers = parseDrivers(text);
  const isMade = newest.madeAt !== null;
  const next = newest.version + (isMade || day.isStale ? 1 : 0);
  const label = !isMade
    ? t.create
    : day.isStale
      ? t.makeNext(next)
      : drivers !== null && drivers !== current
        ? t.makeWithDrivers(next, drivers)
        : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(drivers === null ? t.driversInvalid : null);
    if (drivers === null) document.getElementById(`${form}-drivers`)?.focus();
    else if (label !== null) create(drivers);
  };
  return (
    <form className={s.make} onSubmit={submit} noValidate>
      <Compact>
        <Field
          label={t.drivers}
          id={`${form}-drivers`}
          error={problem}
          {...(isMade && drivers !== null && drivers !== current && { hint: t.driversHelp })}
        >
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
        <div className={s.buttons} ref={ready} tabIndex={-1}>
          {label !== null && (
            <Button type="submit" busy={isMaking && t.making}>
              {label}
            </Button>
          )}
          {isMade && day.files.includes("all-sheets.pdf") && (
            <ButtonLink
              kind={label === null ? "primary" : "outline"}
              icon="print"
              to={sheetUrl(day, newest.version, "all-sheets.pdf")}
              target="_blank"
            >
              {t.printAll}
            </ButtonLink>
          )}
        </div>
      </Compact>
      {failure !== null && (
        <Banner tone="error" role="alert" title={t.failed}>
          {failure}
        </Banner>
      )}
    </form>
  );
}
