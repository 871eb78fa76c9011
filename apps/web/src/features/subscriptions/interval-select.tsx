import { INTERVAL_WEEKS } from "@marketday/domain/limits";
import { Field } from "@marketday/ui/field.tsx";
import { Select } from "@marketday/ui/text-input.tsx";

import { formatInterval } from "./format.ts";

interface IntervalSelectProps {
  /** What comes so often. */
  name: string;
  weeks: number;
  onChange: (weeks: number) => void;
}

/** Every 1 to 4 weeks (spec §4 Subscription interval). */
export const IntervalSelect = ({ name, weeks, onChange }: IntervalSelectProps) => (
  <Field label={`How often ${name} comes`} labelHidden>
    <Select value={weeks} onChange={({ target }) => onChange(Number(target.value))}>
      {INTERVAL_WEEKS.map((one) => (
        <option key={one} value={one}>
          {formatInterval(one)}
        </option>
      ))}
    </Select>
  </Field>
);
