import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import { Field } from "@marketday/ui/field.tsx";
import { PasswordInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import { type NewPassword, newPasswordProblems } from "./reset-rules.ts";

interface NewPasswordFieldsProps {
  value: NewPassword;
  onChange: (change: Partial<NewPassword>) => void;
  /** The first field takes the focus. */
  autoFocus?: boolean;
}

/** A new password, twice. An error is shown after the field was left, and removed as soon as it is fixed. */
export function NewPasswordFields({ value, onChange, autoFocus = false }: NewPasswordFieldsProps) {
  const [left, setLeft] = useState<Partial<Record<keyof NewPassword, true>>>({});
  useUnsaved(value.password !== "" || value.confirm !== "");
  const problems = newPasswordProblems(value);
  const bind = (name: keyof NewPassword) => ({
    value: value[name],
    autoComplete: "new-password",
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
    onBlur: () => setLeft((before) => ({ ...before, [name]: true })),
  });
  return (
    <>
      <Field label="New password" hint="At least 6 characters" error={left.password ? problems.password : null}>
        <PasswordInput {...(autoFocus && { "data-autofocus": "" })} enterKeyHint="next" {...bind("password")} />
      </Field>
      <Field label="Confirm new password" error={left.confirm ? problems.confirm : null}>
        <PasswordInput enterKeyHint="go" {...bind("confirm")} />
      </Field>
    </>
  );
}
