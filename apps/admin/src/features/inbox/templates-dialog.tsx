import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { TEMPLATE_MAX, TEMPLATE_NAME_MAX } from "@marketday/domain/inbox-turn";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/inbox";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { templatesQuery } from "./api.ts";

import s from "./inbox.module.css";

/** The templates: list, add, change, delete. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { data: templates = [] } = useQuery(templatesQuery);
  const [edited, setEdited] = useState<ReplyTemplate | "new" | null>(null);
  const { attempt, running, error } = useAction();
  const reread = () => client.invalidateQueries({ queryKey: templatesQuery.queryKey });
  return (
    <Dialog size="cart" onClose={onClose} returnTo="inbox-templates">
      <DialogTitle>{t.templatesTitle}</DialogTitle>
      <DialogBody>
        <p>{t.templatesIntro}</p>
        {error !== null && <AlertBox key={error}>{error}</AlertBox>}
        {templates.length === 0 && <p className={s.quiet}>{t.noTemplates}</p>}
        <ul className={s.templateList}>
          {templates.map((template) => (
            <li key={template.id}>
              <div>
                <b>{template.name}</b>
                <p className={s.text}>{template.text}</p>
              </div>
              <Compact size="sm">
                <Button kind="outline" aria-label={t.editTemplate(template.name)} onClick={() => setEdited(template)}>
                  {t.edit}
                </Button>
                <Button
                  kind="outline"
                  aria-label={t.deleteTemplate(template.name)}
                  busy={running === `delete ${template.id}` && t.saving}
                  onClick={() =>
                    void attempt(`delete ${template.id}`, async () => {
                      await call(calls.deleteTemplate, { params: { id: template.id } });
                      await reread();
                    })
                  }
                >
                  {t.deleteThis}
                </Button>
              </Compact>
            </li>
          ))}
        </ul>
        {edited === null ? (
          <Compact>
            <Button icon="plus" onClick={() => setEdited("new")}>
              {t.addTemplate}
            </Button>
          </Compact>
        ) : (
          <TemplateForm
            key={edited === "new" ? "new" : edited.id}
            template={edited === "new" ? null : edited}
            onDone={() => {
              setEdited(null);
              void reread();
            }}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}

function TemplateForm({ template, onDone }: { template: ReplyTemplate | null; onDone: () => void }) {
  const first = { name: template?.name ?? "", text: template?.text ?? "" };
  const { values, put, clear } = useFormDraft(`inbox-template-${template?.id ?? "new"}`, first);
  const [isChecked, setChecked] = useState(false);
  const { attempt, running, error } = useAction();
  const body = { name: values.name.trim(), text: values.text.trim() };
  const save = async () => {
    setChecked(true);
    if (body.name === "" || body.text === "") return;
    const isDone = await attempt("save", async () => {
      await (template
        ? call(calls.putTemplate, { params: { id: template.id }, body })
        : call(calls.createTemplate, { body }));
      return true;
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
