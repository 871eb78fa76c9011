import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { STAFF_PASSWORD_MIN } from "@marketday/domain/staff";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { PasswordInput } from "@marketday/ui/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/session";

import { call } from "../../lib/api.ts";
import { AlertBox } from "./alert-box.tsx";
import { AppCodeField, isAppCode } from "./credential-fields.tsx";
import { NameField } from "./name-field.tsx";
import type { SetUp } from "./set-up.ts";

import s from "./invite-page.module.css";

interface SetUpPasswordProps {
  token: string;
  email: string;
  name: string;
  onName: (name: string) => void;
  onSetUp: (setUp: SetUp) => void;
}

const values0 = { name: "", password: "", code: "" };
const ids = controlIds("invite", values0);

/** Sets a password and connects an authenticator app: for where passkeys do not work, and for who wants it. */
export function SetUpPassword({ token, email, name, onName, onSetUp }: SetUpPasswordProps) {
  const [values, setValues] = useState({ password: "", code: "" });
  // One secret for as long as the page lives: a second one would not fit the code of the first.
  const {
    data: app,
    isError,
    refetch,
  } = useQuery({
    queryKey: ["invite", token, "app"],
    queryFn: () => call(calls.startInvitePassword, { params: { token } }),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      name: name.trim() === "" && t.enterName,
      password: values.password.length < STAFF_PASSWORD_MIN && t.passwordTooShort,
      code: !isAppCode(values.code) && t.enterSixDigits,
    }),
  });
  useUnsaved(values.password !== "");
  if (isError) return <ErrorState message={t.inviteFailed} onRetry={() => void refetch()} />;
  if (!app)
    return (
      <Skeleton label={t.secretLoading}>
        <SkeletonPart kind="square" width="half" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  const finish = async () => {
    const body = { name, password: values.password, code: values.code, secret: app.secret };
    onSetUp(await call(calls.acceptInviteWithPassword, { params: { token }, body }));
  };
  return (
    <Form onSubmit={() => void submit(finish)} problems={problems}>
      <NameField field={field("name")} value={name} onChange={onName} />
      {/* Password managers keep the password under the email. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label={t.newPassword} hint={t.newPasswordHint} {...field("password")}>
        <PasswordInput
          autoComplete="new-password"
          value={values.password}
          onChange={({ target }) => setValues((before) => ({ ...before, password: target.value }))}
        />
      </Field>
      <div className={s.scan}>
        <h2>{t.scanTitle}</h2>
        <img className={s.qr} src={app.qr} alt={t.scanAlt} width={176} height={176} />
        <p>{t.typeSecret}</p>
        <code translate="no">{app.secret}</code>
      </div>
      <AppCodeField
        field={field("code")}
        value={values.code}
        onChange={(code) => setValues((before) => ({ ...before, code }))}
      />
      <Button type="submit" size="lg" wide busy={running !== null && t.settingUp}>
        {t.setUp}
      </Button>
      {error && <AlertBox key={error}>{error}</AlertBox>}
    </Form>
  );
}
