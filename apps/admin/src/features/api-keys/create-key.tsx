import { useMarketNow } from "@marketday/client/clock.ts";
import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { API_KEY, type Permission, PERMISSIONS, STEP_UP_PERMISSIONS } from "@marketday/domain/staff";
import { addMs, Day } from "@marketday/domain/time";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Dialog, DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/api-keys";
import * as session from "#messages/session";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { hasPermission, useMe } from "../session/api.ts";
import { useShownOnce, useToastOnceLeft } from "../session/shown-once.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { apiKeysQuery } from "./api.ts";
import { untilOf } from "./key-rows.tsx";
import { NewKey } from "./new-key.tsx";

import s from "./api-keys.module.css";

const DAYS = [30, 90, 180, API_KEY.daysMax] as const;
const none: { name: string; permissions: Permission[]; days: number } = { name: "", permissions: [], days: 90 };
const ids = controlIds("api-key", none);
const FORM = "api-key-form";

/** Of a lost answer, that a key may have been created. */
const wordsOf = (error: unknown): string =>
  error instanceof ApiError && error.isOffline ? t.createLost(messageOf(error)) : messageOf(error);

/** Creates an API key for some of one's own permissions, and shows it once. */
export function CreateKey({ returnTo, onClose }: { returnTo: string; onClose: () => void }) {
  const client = useQueryClient();
  const me = useMe();
  const now = useMarketNow();
  const withStepUp = useStepUp();
  const { values, put, clear } = useFormDraft("api-key", none);
  const { show } = useShownOnce();
  const toastOnceLeft = useToastOnceLeft();
  const offered = PERMISSIONS.filter(
    (permission) => hasPermission(me, permission) && !STEP_UP_PERMISSIONS.includes(permission),
  );
  const permissions = offered.filter((permission) => values.permissions.includes(permission));
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      name: values.name.trim() === "" && t.enterName,
      permissions: permissions.length === 0 && t.choosePermission,
    }),
  });
  const create = async () => {
    const name = values.name.trim();
    const subject = {
      title: t.createSubject(name),
      effect: t.createEffect,
      action: t.create,
      facts: permissions.map((permission, place) => ({
        label: place === 0 ? t.permissions : "",
        value: session.permissions[permission],
      })),
    };
    const input = { body: { name, permissions, days: values.days } };
    try {
      const answer = await withStepUp(subject, () => call(calls.createApiKey, input));
      if (!answer) return;
      clear();
      const { key, secret } = answer;
      show((onDone) => <NewKey secret={secret} permissions={key.permissions} returnTo={returnTo} onDone={onDone} />);
      onClose();
    } finally {
      // Also after a lost answer: a key that no one has is in the list, to be revoked.
      void client.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    }
  };
  const group = field("permissions");
  return (
    <Dialog size="cart" onClose={onClose} returnTo={returnTo}>
      <DialogTitle>{t.create}</DialogTitle>
      <DialogBody>
        <Form id={FORM} onSubmit={() => void submit(() => toastOnceLeft(create, wordsOf), wordsOf)} problems={problems}>
          <p>{t.createLead}</p>
          <Field label={t.name} hint={t.nameHint} {...field("name")}>
            <TextInput
              data-autofocus=""
              autoComplete="off"
              maxLength={API_KEY.nameMax}
              value={values.name}
              onChange={({ target }) => put({ name: target.value })}
            />
          </Field>
          <fieldset
            id={group.id}
            tabIndex={-1}
            className={s.permissions}
            aria-describedby={group.error ? `${group.id}-error` : undefined}
          >
            <legend>{t.permissions}</legend>
            {offered.length === 0 && <p>{t.noPermissions}</p>}
            {offered.map((permission) => (
              <Checkbox
                key={permission}
                checked={permissions.includes(permission)}
                onChange={({ target }) =>
                  put({
                    permissions: target.checked
                      ? [...permissions, permission]
                      : permissions.filter((each) => each !== permission),
                  })
                }
              >
                {session.permissions[permission]}
              </Checkbox>
            ))}
            <small>{t.permissionsNote}</small>
            {group.error && (
              <p id={`${group.id}-error`} className={s.error}>
                {group.error}
              </p>
            )}
          </fieldset>
          <RadioChips
            legend={t.until}
            chips={DAYS.map((days) => ({ value: days, label: t.days(days) }))}
            value={values.days}
            onChange={(days) => put({ days })}
          />
          <p className={s.quiet}>{t.untilDay(untilOf(addMs(now, values.days * Day.ms).toISOString(), now))}</p>
          {error && <AlertBox key={error}>{error}</AlertBox>}
        </Form>
      </DialogBody>
      <DialogFoot>
        <Button type="submit" form={FORM} wide icon="key" busy={running !== null && t.creating}>
          {t.create}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
