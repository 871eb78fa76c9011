import { type CalendarDate, isCalendarDate } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { type KeyboardEvent, useState } from "react";

import * as t from "#messages/payouts";

interface DayFieldProps {
  /** The day that is shown. */
  day: CalendarDate;
  /** The market's date, the last one that can be chosen. */
  today: CalendarDate;
  /** Null: it was emptied, the market's date is shown. */
  onChange: (day: CalendarDate | null) => void;
}

/** A year that is half typed is one of the first centuries. */
const isWhole = (value: string): value is CalendarDate => isCalendarDate(value) && value >= "2000";

/** A key that changes a part of the date. Space, F4 and Alt with an arrow open the calendar. */
const isOfTyping = ({ key, altKey }: KeyboardEvent): boolean =>
  !altKey && ((key.length === 1 && key !== " ") || ["Backspace", "Delete", "ArrowUp", "ArrowDown"].includes(key));

/**
 * Up to which delivery day vendors are paid. A day from the calendar is shown at once, one that is typed with Enter or when the field is
 * left: half typed ones are dates too. What cannot be shown stays, with the reason.
 */
export function DayField({ day, today, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState<string>(day);
  const [shown, setShown] = useState(day);
  const [isTyping, setIsTyping] = useState(false);
  const [isPart, setIsPart] = useState(false);
  if (shown !== day && !isTyping) {
    setShown(day);
    setTyped(day);
    setIsPart(false);
  }
  const choose = (value: string) => {
    if (isWhole(value) && value <= today && value !== day) onChange(value);
  };
  const finish = ({ value, validity }: HTMLInputElement) => {
    setIsTyping(false);
    if (value === "" && !validity.badInput) {
      setTyped(today);
      onChange(null);
      return;
    }
    setIsPart(!isWhole(value));
    choose(value);
  };
  return (
    <Compact>
      <Field label={t.upTo} error={isTyping ? null : isPart ? t.dayIncomplete : typed > today ? t.dayLater : null}>
        <TextInput
          type="date"
          value={typed}
          max={today}
          onChange={({ target: { value } }) => {
            setTyped(value);
            if (!isTyping) {
              setIsPart(false);
              choose(value);
            }
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") finish(event.currentTarget);
            else if (isOfTyping(event)) setIsTyping(true);
          }}
          onPointerDown={() => setIsTyping(false)}
          onBlur={({ currentTarget }) => finish(currentTarget)}
        />
      </Field>
    </Compact>
  );
}
