import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";

import * as t from "#messages/session";

interface NameFieldProps {
  field: { id: string; error: string | null };
  value: string;
  onChange: (value: string) => void;
}

/** A person's own name. */
export const NameField = ({ field, value, onChange }: NameFieldProps) => (
  <Field label={t.name} hint={t.nameHint} {...field}>
    <TextInput autoComplete="name" maxLength={100} value={value} onChange={(event) => onChange(event.target.value)} />
  </Field>
);
