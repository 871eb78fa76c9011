import { useAction } from "@marketday/client/forms/use-action.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { TEMPLATE_MAX, TEMPLATE_NAME_MAX } from "@marketday/domain/inbox-turn";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import * as t from "#messages/inbox";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { currentTemplate } from "./api.ts";

import s from "./inbox.module.css";

interface TemplateFormProps {
  /** As it was when its form was opened; null: a new one. */
  template: ReplyTemplate | null;
  /** It is saved, or the form was left. */
  onDone: () => void;
}

/** Adds a template, or changes one. One that another person has changed or deleted meanwhile is saved over only once that is shown. */
export function TemplateForm({ template, onDone }: TemplateFormProps) {
  const first = { name: template?.name ?? "", text: template?.text ?? "" };
  const { values, put, clear } = useFormDraft(`inbox-template-${template?.id ?? "new"}`, first);
  const [isChecked, setChecked] = useState(false);
  /** What Save writes over; null: it adds one. */
  const [base, setBase] = useState(template);
  const { attempt, running, error } = useAction();
  const body = { name: values.name.trim(), text: values.text.trim() };
  const save = async () => {
    setChecked(true);
    if (body.name === "" || body.text === "") return;
    const isDone = await attempt("save", async () => {
      if (!base) {
        await call(calls.createTemplate, { body });
        return true;
      }
      try {
        await call(calls.putTemplate, {
          params: { id: base.id },
          body: { ...body, expectedVersion: base.version },
        });
        return true;
      } catch (cause) {
        const current = currentTemplate(cause);
        if (!current && !(cause instanceof ApiError && cause.status === 404)) throw cause;
        setBase(current);
        return false;
      }
    });
    if (isDone !== true) return;
    clear();
    onDone();
  };
  return (
    <form
      className={s.templateForm}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Compact>
        <Field label={t.templateName} error={isChecked && body.name === "" ? t.nameMissing : null}>
          <TextInput
            autoComplete="off"
            maxLength={TEMPLATE_NAME_MAX}
            value={values.name}
            onChange={({ target }) => put({ name: target.value })}
          />
        </Field>
      </Compact>
      <Field label={t.templateText} error={isChecked && body.text === "" ? t.textMissing : null}>
        <TextArea
          rows={5}
          maxLength={TEMPLATE_MAX}
          value={values.text}
          onChange={({ target }) => put({ text: target.value })}
        />
      </Field>
      {base !== template && (
        <div role="alert">
          <Banner tone="information" title={base ? t.templateConflict : t.templateGone}>
            {base && (
              <>
                <b>{base.name}</b>
                <span className={s.text}>{base.text}</span>
              </>
            )}
          </Banner>
        </div>
      )}
      {error !== null && <AlertBox key={error}>{error}</AlertBox>}
      <div className={s.verbs}>
        <Compact>
          <Button type="submit" busy={running !== null && t.saving}>
            {t.saveTemplate}
          </Button>
          <Button
            kind="outline"
            onClick={() => {
              clear();
              onDone();
            }}
          >
            {t.cancel}
          </Button>
        </Compact>
      </div>
    </form>
  );
}
