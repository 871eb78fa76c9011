import { Field } from "@marketday/ui/field.tsx";
import { PasswordInput, TextInput } from "@marketday/ui/text-input.tsx";

import * as t from "#messages/session";

interface FieldProps {
  field: { id: string; error: string | null };
  value: string;
  onChange: (value: string) => void;
}

interface EmailFieldProps extends FieldProps {
  /** In a dialog it takes the focus. */
  isFirst?: boolean;
}

export const EmailField = ({ field, value, onChange, isFirst }: EmailFieldProps) => (
  <Field label={t.email} {...field}>
    <TextInput
      {...(isFirst && { "data-autofocus": "" })}
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="next"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
);

export const CurrentPasswordField = ({ field, value, onChange }: FieldProps) => (
  <Field label={t.password} {...field}>
    <PasswordInput
      autoComplete="current-password"
      enterKeyHint="next"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
);

/** A code of the authenticator app. */
export const AppCodeField = ({ field, value, onChange }: FieldProps) => (
  <Field label={t.appCode} hint={t.appCodeHint} {...field}>
    <TextInput
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={9}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
);

/** Whether a text is six digits, with spaces anywhere. */
export const isAppCode = (text: string): boolean => /^\d{6}$/.test(text.replaceAll(/\s/g, ""));
