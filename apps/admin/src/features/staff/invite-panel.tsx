import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import * as session from "#messages/session";
import * as t from "#messages/staff";

import { call } from "../../lib/api.ts";
import { useFormDraft } from "../../lib/drafts.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { useMe } from "../session/api.ts";
import { wordsOfRoles } from "../session/roles.ts";
import { useStepUp } from "../session/step-up.tsx";
import { staffQuery } from "./api.ts";
import { grantsOf, type RoleChoice, rolesOf, roleWithoutMarket } from "./role-choice.ts";
import { RolesField } from "./roles-field.tsx";

const none: { email: string; name: string; roles: RoleChoice } = { email: "", name: "", roles: {} };
const ids = controlIds("staff-invite", none);
const FORM = "staff-invite-form";

/** Invites a person by email. What is typed stays until it is sent, also over a reload. */
export function InvitePanel({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { hubs } = useMe();
  const withStepUp = useStepUp();
  const { values, put, clear } = useFormDraft("staff-invite", none);
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      email: !/^\S+@\S+$/.test(values.email.trim()) && t.enterEmail,
      name: values.name.trim() === "" && t.enterName,
      roles: rolesProblem(values.roles),
    }),
  });
  const invite = async () => {
    const email = values.email.trim();
    const name = values.name.trim();
    const subject = {
      title: t.inviteSubject(name),
      effect: t.inviteEffect(email),
      action: t.doInvite,
      facts: wordsOfRoles(rolesOf(values.roles, hubs)).map(({ title }, place) => ({
        label: place === 0 ? t.roles : "",
        value: title,
      })),
    };
    const input = { body: { email, name, roles: grantsOf(values.roles) } };
    const invited = await withStepUp(
      subject,
      (idempotencyKey) => call(calls.inviteStaff, input, { idempotencyKey }),
      input,
    );
    if (!invited) return;
    clear();
    await client.invalidateQueries({ queryKey: staffQuery.queryKey });
    toast({ text: t.invited(email) });
    onClose();
  };
  return (
    <Dialog size="cart" onClose={onClose} returnTo="staff-invite">
      <DialogTitle>{t.invite}</DialogTitle>
      <DialogBody>
        <Form id={FORM} onSubmit={() => void submit(invite)} problems={problems}>
          <p>{t.inviteLead}</p>
          <Field label={t.email} {...field("email")}>
            <TextInput
              data-autofocus=""
              type="email"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={values.email}
              onChange={({ target }) => put({ email: target.value })}
            />
          </Field>
          <Field label={t.name} {...field("name")}>
            <TextInput
              autoComplete="off"
              maxLength={100}
              value={values.name}
              onChange={({ target }) => put({ name: target.value })}
            />
          </Field>
          <RolesField {...field("roles")} hubs={hubs} value={values.roles} onChange={(roles) => put({ roles })} />
          {error && <AlertBox key={error}>{error}</AlertBox>}
        </Form>
      </DialogBody>
      <DialogFoot>
        <Button type="submit" form={FORM} wide busy={running !== null && t.sending}>
          {t.sendInvite}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** What is wrong with a choice of roles; null: nothing is. */
export function rolesProblem(choice: RoleChoice): string | null {
  const role = roleWithoutMarket(choice);
  if (role !== null) return t.chooseMarket(session.roles[role]);
  return grantsOf(choice).length === 0 ? t.chooseRole : null;
}
