import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/inbox";

import { call } from "../../lib/api.ts";
import { UNDO_MS } from "../actions/shown-actions.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { currentTemplate, templatesQuery } from "./api.ts";
import { TemplateForm } from "./template-form.tsx";
import { TemplatesState } from "./templates-state.tsx";

import s from "./inbox.module.css";

/** The templates: list, add, change, delete with Undo. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const templates = useQuery(templatesQuery);
  const [edited, setEdited] = useState<ReplyTemplate | "new" | null>(null);
  const { attempt, running, error } = useAction();
  const reread = () => client.invalidateQueries({ queryKey: templatesQuery.queryKey });
  const restore = async ({ name, text }: ReplyTemplate) => {
    try {
      await call(calls.createTemplate, { body: { name, text } });
      toast({ text: t.templateRestored(name) });
    } catch (cause) {
      toast({ text: messageOf(cause), tone: "error" });
    } finally {
      await reread();
    }
  };
  const remove = (template: ReplyTemplate) =>
    attempt(
      `delete ${template.id}`,
      async () => {
        try {
          await call(calls.deleteTemplate, {
            params: { id: template.id },
            body: { expectedVersion: template.version },
          });
          toast({
            text: t.templateDeleted(template.name),
            duration: UNDO_MS,
            action: { label: t.undo, run: () => void restore(template) },
          });
        } finally {
          await reread();
        }
      },
      (cause) => (currentTemplate(cause) ? t.templateMovedOn : messageOf(cause)),
    );
  return (
    <Dialog size="cart" onClose={onClose} returnTo="inbox-templates">
      <DialogTitle>{t.templatesTitle}</DialogTitle>
      <DialogBody>
        <p>{t.templatesIntro}</p>
        {error !== null && <AlertBox key={error}>{error}</AlertBox>}
        <TemplatesState query={templates} />
        <ul className={s.templateList}>
          {templates.data?.map((template) => (
            <li key={template.id}>
              <div>
                <b>{template.name}</b>
                <p className={s.text}>{template.text}</p>
              </div>
              <div className={s.verbs}>
                <Compact size="sm">
                  <Button kind="outline" aria-label={t.editTemplate(template.name)} onClick={() => setEdited(template)}>
                    {t.edit}
                  </Button>
                  <Button
                    kind="outline"
                    aria-label={t.deleteTemplate(template.name)}
                    busy={running === `delete ${template.id}` && t.saving}
                    onClick={() => void remove(template)}
                  >
                    {t.deleteThis}
                  </Button>
                </Compact>
              </div>
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
