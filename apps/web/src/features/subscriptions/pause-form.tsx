import { addDays, type CalendarDate, calendarDate, isCalendarDate } from "@marketday/domain/calendar-date";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import s from "./pause-form.module.css";

/** Four weeks are suggested; a year is as far as one pauses instead of removing. */
const SUGGESTED_DAYS = 28;
const MOST_DAYS = 366;

interface PauseFormProps {
  name: string;
  /** In the market. */
  today: CalendarDate;
  onPause: (until: string) => void;
}

/** Until when a subscription rests: the first day it may come again. */
export default function PauseForm({ name, today, onPause }: PauseFormProps) {
  const [until, setUntil] = useState<string>(addDays(today, SUGGESTED_DAYS));
  const [error, setError] = useState<string | null>(null);
  const submit = () => {
    if (isCalendarDate(until) && until > today && until <= addDays(today, MOST_DAYS)) onPause(calendarDate(until));
    else setError("Choose a day after today, within a year.");
  };
  return (
    <form
      className={s.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={`Pause ${name} until`} error={error}>
        <TextInput
          type="date"
          value={until}
          min={addDays(today, 1)}
          max={addDays(today, MOST_DAYS)}
          onChange={({ target }) => setUntil(target.value)}
        />
      </Field>
      <Button kind="outline" type="submit" icon="pause">
        Pause
      </Button>
    </form>
  );
}
