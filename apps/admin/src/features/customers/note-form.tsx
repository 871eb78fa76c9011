import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import * as t from "#messages/customers";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { isUnknown } from "../orders/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { RequestKeys } from "../session/request-key.ts";
import { type Customer, rereadCustomer } from "./api.ts";
import { PanelForm } from "./panel-form.tsx";

import s from "./customers.module.css";

const none = { text: "" };
const ids = controlIds("customer-note-form", none);

/** Adds a note that only the staff reads. What is typed stays until it is sent. */
export function NoteForm({ customer: { id }, onClose }: { customer: Customer; onClose: () => void }) {
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  const { values, put, clear } = useFormDraft(`customer-note-${id}`, none);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { text: values.text.trim() === "" && t.noteMissing }),
  });
  useEffect(() => document.getElementById(ids.text)?.focus(), []);
  const add = async () => {
    const sent = { params: { id }, body: { text: values.text.trim() } };
    try {
      const action = await keys.current.run(sent, (idempotencyKey) =>
        call(calls.addCustomerNote, sent, { idempotencyKey }),
      );
      cacheAction(client, action);
      clear();
      onClose();
    } finally {
      rereadCustomer(client, id);
      void rereadActions(client);
    }
  };
  return (
    <PanelForm id="customer-note-title" title={t.noteForm} onClose={onClose}>
      <Form
        problems={problems}
        onSubmit={() => void submit(add, (cause) => (isUnknown(cause) ? t.unknown : messageOf(cause)))}
      >
        <Field label={t.noteText} hint={t.noteHint} {...field("text")}>
          <TextArea
            rows={3}
            maxLength={2000}
            value={values.text}
            onChange={({ target }) => put({ text: target.value })}
          />
        </Field>
        {error && <AlertBox key={error}>{error}</AlertBox>}
        <div className={s.buttons}>
          <Compact>
            <Button type="submit" busy={running !== null && t.adding}>
              {t.addNote}
            </Button>
            <Button kind="outline" onClick={onClose}>
              {t.cancel}
            </Button>
          </Compact>
        </div>
      </Form>
    </PanelForm>
  );
}
