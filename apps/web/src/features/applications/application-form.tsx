import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/calls";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount } from "@marketday/ui/character-count.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { useEffect, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import {
  applicationBody,
  applicationIds,
  type ApplicationKind,
  applicationProblems,
  type ApplicationValues,
  emptyApplication,
  FORMS,
  TEXT_MAX,
  WEEK,
} from "./fields.ts";

import s from "./application-form.module.css";

/** The ZIP code, until one is typed, is the one that is known. */
const FIRST = { ...emptyApplication, zipCode: null as string | null };

/**
 * Applies to sell, to drive or to work (spec §1; docs/product.md §11). `zipCode`: where the applicant lives, if it is known. Needs no
 * router and no query client: a frame shows it too.
 */
export function ApplicationForm({ kind, zipCode = "" }: { kind: ApplicationKind; zipCode?: string }) {
  const { title, fields, text, days } = FORMS[kind];
  const { values: typed, put, clear } = useFormDraft(`application-${kind}`, FIRST);
  const values: ApplicationValues = { ...typed, zipCode: typed.zipCode ?? zipCode };
  const [sentTo, setSentTo] = useState<string | null>(null);
  const {
    running,
    error,
    problems,
    field: tied,
    submit,
  } = useForm({
    ids: applicationIds,
    problems: applicationProblems(kind, values),
  });
  const sent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sentTo !== null) sent.current?.focus();
  }, [sentTo]);
  const readOnly = running !== null;
  const send = async () => {
    await call(calls.createLead, { body: applicationBody(kind, values) });
    setSentTo(values.email.trim());
    clear();
  };
  return (
    <Panel as="section" label={title}>
      <div className={s.application}>
        <h2>{title}</h2>
        {sentTo === null ? (
          <Form onSubmit={() => void submit(send)} problems={problems}>
            {fields.map(({ field, label, hint, autoComplete, inputMode, max }) => (
              <Field key={field} label={label} {...(hint ? { hint } : {})} {...tied(field)}>
                <TextInput
                  maxLength={max}
                  enterKeyHint="next"
                  readOnly={readOnly}
                  {...(autoComplete ? { autoComplete } : {})}
                  {...(inputMode ? { inputMode } : {})}
                  value={values[field]}
                  onChange={({ target }) => put({ [field]: target.value })}
                />
              </Field>
            ))}
            {days && (
              <fieldset className={s.days} aria-describedby={tied("days").error ? "application-days-error" : undefined}>
                <legend>Days you can drive</legend>
                <div className={s.week}>
                  {WEEK.map((day, place) => (
                    <Checkbox
                      key={day}
                      {...(place === 0 ? { id: applicationIds.days } : {})}
                      checked={values.days.includes(day)}
                      onChange={({ target }) =>
                        put({ days: target.checked ? [...values.days, day] : values.days.filter((one) => one !== day) })
                      }
                    >
                      {day}
                    </Checkbox>
                  ))}
                </div>
                {tied("days").error && (
                  <p id="application-days-error" className={s.error}>
                    {tied("days").error}
                  </p>
                )}
              </fieldset>
            )}
            <Field
              label={text.label}
              {...(text.hint ? { hint: text.hint } : {})}
              {...tied("text")}
              aside={<CharacterCount length={values.text.length} max={TEXT_MAX} />}
            >
              <TextArea
                rows={5}
                value={values.text}
                readOnly={readOnly}
                onChange={({ target }) => put({ text: target.value })}
              />
            </Field>
            {error && <AlertBox>{error}</AlertBox>}
            <div>
              <Button type="submit" size="lg" busy={running !== null && "Sending…"}>
                Send the application
              </Button>
            </div>
          </Form>
        ) : (
          <div ref={sent} tabIndex={-1} role="status">
            <Banner tone="other" title="We have your application">
              We read every application and will reply to {sentTo}.
            </Banner>
          </div>
        )}
      </div>
    </Panel>
  );
}
