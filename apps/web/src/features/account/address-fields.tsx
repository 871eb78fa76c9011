import { ADDRESS_LINE_MAX, DELIVERY_NOTES_MAX, zipDigits } from "@marketday/domain/limits";
import { Field } from "@marketday/ui/field.tsx";
import type { FormProblem } from "@marketday/ui/form.tsx";
import { Select, TextArea, TextInput } from "@marketday/ui/text-input.tsx";

import { addressControl, type AddressDraft, type AddressField, typeAddress } from "./address.ts";
import { usStates } from "./us-states.ts";
import { useZipPlace } from "./zip-place.ts";

import s from "./address-fields.module.css";

interface AddressFieldsProps {
  value: AddressDraft;
  onChange: (change: Partial<AddressDraft>) => void;
  /** What the last submit found. */
  problems: FormProblem[];
}

/** Street, city, state, zip and how to find the door: autofill fills them all at once, and the zip its city and state. */
export default function AddressFields({ value, onChange, problems }: AddressFieldsProps) {
  const place = useZipPlace(value.zipCode);
  const isElsewhere = place && value.state !== "" && value.state !== place.state;
  const bind = (field: AddressField) => ({
    value: value[field],
    onChange: (event: { target: { value: string } }) => onChange(typeAddress(value, { [field]: event.target.value })),
  });
  const field = (name: AddressField) => {
    const id = addressControl(name);
    return { id, error: problems.find((problem) => problem.field === id)?.message ?? null };
  };
  return (
    <div className={s.fields}>
      <Field label="Street address" {...field("address")}>
        <TextInput autoComplete="address-line1" enterKeyHint="next" maxLength={ADDRESS_LINE_MAX} {...bind("address")} />
      </Field>
      <Field label="Apartment, suite (optional)" {...field("address2")}>
        <TextInput
          autoComplete="address-line2"
          enterKeyHint="next"
          maxLength={ADDRESS_LINE_MAX}
          {...bind("address2")}
        />
      </Field>
      <div className={s.place}>
        <Field label="City" {...field("city")}>
          <TextInput autoComplete="address-level2" enterKeyHint="next" maxLength={100} {...bind("city")} />
        </Field>
        <Field label="State" {...field("state")}>
          <Select autoComplete="address-level1" {...bind("state")}>
            <option value="">Choose</option>
            {usStates.map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Zip code" {...field("zipCode")}>
          <TextInput
            inputMode="numeric"
            autoComplete="postal-code"
            enterKeyHint="next"
            value={value.zipCode}
            onChange={(event) => onChange(typeAddress(value, { zipCode: zipDigits(event.target.value) }))}
          />
        </Field>
      </div>
      {/* Always there: a region that comes with its words is often not read. */}
      <p role="status" className={s.elsewhere}>
        {isElsewhere &&
          `${value.zipCode} is in ${[place.city, place.state].filter(Boolean).join(", ")}. Check the state.`}
      </p>
      <Field
        label="How to find the door (optional)"
        hint="A gate code, a side entrance, where the wagon may stop"
        {...field("instructions")}
      >
        <TextArea rows={2} autoComplete="off" maxLength={DELIVERY_NOTES_MAX} {...bind("instructions")} />
      </Field>
    </div>
  );
}
