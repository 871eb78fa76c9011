import { VENDOR_MESSAGE_MAX } from "@marketday/domain/limits";
import { CharacterCount, tooLong } from "@marketday/ui/character-count.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import type { Ref } from "react";

/** Whether words can be sent: some, and at most 250 characters (spec §5 Message to a vendor). */
export const canSend = (text: string): boolean => text.trim() !== "" && text.trim().length <= VENDOR_MESSAGE_MAX;

interface MessageFieldProps {
  label: string;
  text: string;
  readOnly: boolean;
  onChange: (text: string) => void;
  ref?: Ref<HTMLTextAreaElement>;
}

/** The box for a message to a vendor, with what is left of its 250 characters. */
export function MessageField({ label, text, readOnly, onChange, ref }: MessageFieldProps) {
  const over = text.trim().length - VENDOR_MESSAGE_MAX;
  return (
    <Field label={label} error={tooLong(over)} aside={<CharacterCount length={text.length} max={VENDOR_MESSAGE_MAX} />}>
      <TextArea
        ref={ref ?? null}
        rows={3}
        value={text}
        readOnly={readOnly}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
