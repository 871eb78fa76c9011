import { type CalendarDate, isCalendarDate } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import * as t from "#messages/payouts";

interface DayFieldProps {
  /** The day that is shown. */
  day: CalendarDate;
  /** The market's date, the last one that can be chosen. */
  today: CalendarDate;
  /** Null: it was emptied, the market's date is shown. */
  onChange: (day: CalendarDate | null) => void;
}

/** Up to which delivery day vendors are paid. A later day is not looked up: what is typed stays, with the reason. */
export function DayField({ day, today, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState<string>(day);
  const [shown, setShown] = useState(day);
  if (shown !== day) {
    setShown(day);
    setTyped(day);
  }
  return (
    <Compact>
      <Field label={t.upTo} error={typed > today ? t.dayLater : null}>
        <TextInput
          type="date"
          value={typed}
          max={today}
          onChange={({ target: { value } }) => {
            setTyped(value);
            if (value === "") onChange(null);
            else if (isCalendarDate(value) && value <= today) onChange(value);
          }}
        />
      </Field>
    </Compact>
  );
}
