import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { useEffect, useState } from "react";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { currentBox, isUnknown } from "./api.ts";
import type { StaffNote } from "./open-form.ts";
import { useVerb } from "./use-verb.ts";
import { VerbForm } from "./verb-form.tsx";

interface Values {
  kind: StaffNote["kind"];
  text: string;
  isMailed: boolean;
}

/** Writes a note, or changes `note`. What is typed stays until it is saved. */
export function NoteForm({ order, note, onClose }: { order: OrderBox; note: StaffNote | null; onClose: () => void }) {
  const none: Values = { kind: note?.kind ?? "inside", text: note?.text ?? "", isMailed: false };
  const ids = controlIds("order-note", none);
  const { values, put, clear } = useFormDraft<Values>(`note-${order.id}-${note?.id ?? "new"}`, none);
  const verb = useVerb(order, () => {
    clear();
    onClose();
  });
  const text = values.text.trim();
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { text: text === "" && t.noteMissing }),
  });
  useEffect(() => document.getElementById("order-note-text")?.focus(), []);
  // What the person has seen of the note: after a conflict, what it says now.
  const [seen, setSeen] = useState(note);
  const isRemoved = note !== null && order.staffNotes.every(({ id }) => id !== note.id);
  const isMailed = values.kind === "shopper" && values.isMailed;
  const send = () => {
    const { id } = order;
    const subject = { title: t.noteTitle, effect: t.noteKindHints[values.kind], action: t.saveNote };
    if (seen !== null) {
      const sent = { params: { id, note: seen.id }, body: { text, expectedVersion: seen.version } };
      return verb.send(sent, subject, () =>
        call(calls.putNote, sent).catch((cause: unknown) => {
          setSeen(currentBox(cause)?.staffNotes.find((each) => each.id === seen.id) ?? seen);
          throw cause;
        }),
      );
    }
    const sent = { params: { id }, body: { kind: values.kind, text, isMailed } };
    return verb.send(sent, subject, (idempotencyKey) => call(calls.addNote, sent, { idempotencyKey }));
  };
  return (
    <VerbForm
      id="order-note-title"
      title={note === null ? t.noteTitle : t.editNoteTitle}
      problems={problems}
      error={error}
      isChanged={verb.isChanged}
      submitLabel={note === null ? (isMailed ? t.saveAndMail : t.saveNote) : t.changeNote}
      busy={running !== null && t.saving}
      waits={isRemoved ? t.noteRemoved : null}
      onClose={onClose}
      onSubmit={() => void submit(send, (cause) => (isUnknown(cause) ? t.verbUnknown : messageOf(cause)))}
    >
      {note === null && (
        <RadioChips
          legend={t.noteFor}
          chips={(["inside", "driver", "shopper"] as const).map((value) => ({ value, label: t.noteKinds[value] }))}
          value={values.kind}
          onChange={(kind) => put({ kind })}
        />
      )}
      <Field label={t.noteText} hint={t.noteKindHints[values.kind]} {...field("text")}>
        <TextArea rows={3} maxLength={500} value={values.text} onChange={({ target }) => put({ text: target.value })} />
      </Field>
      {seen !== null && seen.version !== note?.version && <p>{t.noteNow(seen.text)}</p>}
      {note === null && values.kind === "shopper" && (
        <Checkbox checked={values.isMailed} onChange={({ target }) => put({ isMailed: target.checked })}>
          {t.mailNote}
        </Checkbox>
      )}
    </VerbForm>
  );
}
