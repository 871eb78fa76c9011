import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { SavedView } from "@marketday/contracts/admin/order-list";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/list";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { hasPermission, useMe } from "../session/api.ts";
import { type Holds, viewFailure, type ViewScreen, viewsQuery } from "./saved-views.ts";

import s from "./view-dialog.module.css";

const ids = controlIds("view", { name: "", isShared: false });
const FORM = "view-form";

interface ViewDialogProps {
  screen: ViewScreen;
  /** The one that is renamed; null: a new one is saved. */
  saved: SavedView | null;
  /** What a new one holds. */
  holds: Holds;
  onSaved: (view: SavedView) => void;
  onClose: () => void;
}

/** Whether a person may save views for everyone. */
const useMaySaveShared = (): boolean => {
  const me = useMe();
  return hasPermission(me, "settings.write", "all") || hasPermission(me, "catalogue.write", "all");
};

/** Of a dialog: saves what the list shows as a view, or renames one. What is typed stays until it is saved. */
export default function ViewDialog({ screen, saved, holds, onSaved, onClose }: ViewDialogProps) {
  const client = useQueryClient();
  const mayShare = useMaySaveShared();
  const { values, put, clear } = useFormDraft(saved ? `view-${saved.id}-${saved.version}` : `view-new-${screen}`, {
    name: saved?.name ?? "",
    isShared: saved?.isShared ?? false,
  });
  const name = values.name.trim();
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, { name: name === "" && t.viewNameMissing, isShared: null }),
  });
  const save = async () => {
    const { query, sort, columns } = saved ?? holds;
    const body = { name, query, sort, columns, isShared: mayShare && values.isShared };
    try {
      const view = saved
        ? await call(calls.putView, {
            params: { screen, id: saved.id },
            body: { ...body, expectedVersion: saved.version },
          })
        : await call(calls.createView, { params: { screen }, body });
      clear();
      onSaved(view);
      onClose();
    } finally {
      await client.invalidateQueries({ queryKey: viewsQuery(screen).queryKey });
    }
  };
  return (
    <>
      <DialogTitle>{saved ? t.renameTitle : t.saveTitle}</DialogTitle>
      <DialogBody>
        <Form id={FORM} onSubmit={() => void submit(save, viewFailure)} problems={problems}>
          {!saved && <p className={s.quiet}>{t.saveLead}</p>}
          <Field label={t.viewName} {...field("name")}>
            <TextInput
              data-autofocus=""
              autoComplete="off"
              maxLength={60}
              value={values.name}
              onChange={({ target }) => put({ name: target.value })}
            />
          </Field>
          {mayShare && (
            <Checkbox
              id={ids.isShared}
              checked={values.isShared}
              onChange={({ target }) => put({ isShared: target.checked })}
            >
              {t.forEveryone}
              <small className={s.hint}>{t.forEveryoneHint}</small>
            </Checkbox>
          )}
          {error && <AlertBox key={error}>{error}</AlertBox>}
        </Form>
      </DialogBody>
      <DialogFoot>
        <Compact>
          <Button type="submit" form={FORM} wide busy={running !== null && t.saving}>
            {saved ? t.rename : t.save}
          </Button>
        </Compact>
      </DialogFoot>
    </>
  );
}
