import { useAction } from "@marketday/client/forms/use-action.ts";
import { QUESTION_MAX, QUESTION_SUBMIT_DELAY_MS } from "@marketday/domain/limits";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount, tooLong } from "@marketday/ui/character-count.tsx";
import { EntryButtons } from "@marketday/ui/entries.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { useEffect, useRef } from "react";

import { useDraft } from "../../lib/drafts.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { useAsk } from "./api.ts";

interface QuestionFormProps {
  productId: number;
  vendorName: string;
  /** Of the field: what gets the focus back when the account has been made. */
  id: string;
  onAsked: () => void;
  onCancel: () => void;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** At most 400 characters; sent a second after the press, as spec §4 Question flow has it. */
export function QuestionForm({ productId, vendorName, id, onAsked, onCancel }: QuestionFormProps) {
  const { text, write, clear } = useDraft(`question-${productId}`);
  const { running, error, attempt } = useAction();
  const ask = useAsk(productId);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const over = text.length - QUESTION_MAX;
  const ready = text.trim() !== "" && over <= 0;

  const submit = () => {
    if (!ready) return;
    const run = async () => {
      await pause(QUESTION_SUBMIT_DELAY_MS);
      await ask(text.trim());
      clear();
      onAsked();
    };
    void attempt("question", run, () => screenMessages.question);
  };
  return (
    <Form onSubmit={submit}>
      <Field
        label="Your question"
        id={id}
        hint={`Goes to ${vendorName}. Once answered, everyone can see both.`}
        error={tooLong(over)}
        aside={<CharacterCount length={text.length} max={QUESTION_MAX} />}
      >
        <TextArea
          ref={field}
          value={text}
          readOnly={running !== null}
          onChange={(event) => write(event.target.value)}
        />
      </Field>
      {error && (
        <Banner tone="error" role="alert">
          {error}
        </Banner>
      )}
      <EntryButtons>
        <Button type="submit" disabled={!ready} busy={running !== null && "Sending…"}>
          Ask
        </Button>
        <Button kind="quiet" disabled={running !== null} onClick={onCancel}>
          Cancel
        </Button>
      </EntryButtons>
    </Form>
  );
}
