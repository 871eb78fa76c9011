import { SURVEY_COMMENT_MAX } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount } from "@marketday/ui/character-count.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form, type FormProblem } from "@marketday/ui/form.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { type ReactNode, useId } from "react";

import { useDraft } from "../../lib/drafts.ts";

import s from "./survey.module.css";

interface SurveyFormProps {
  draftKey: string;
  title: string;
  problems?: FormProblem[];
  /** Given the comment, where there is one. */
  onSubmit: (comment: { comment?: string }) => void;
  onSkip: () => void;
  comment?: string;
  children: ReactNode;
}

/** Title, question, a comment of up to 250 characters where there is one; below what scrolls, Skip and Send. */
export function SurveyForm({ draftKey, title, problems, onSubmit, onSkip, comment, children }: SurveyFormProps) {
  const { text: words, write } = useDraft(draftKey);
  const form = useId();
  return (
    <>
      <DialogBody>
        <Form
          id={form}
          problems={problems ?? []}
          onSubmit={() => onSubmit(words.trim() === "" ? {} : { comment: words.trim() })}
        >
          <div className={s.survey}>
            <DialogTitle>{title}</DialogTitle>
            {children}
            {comment && (
              <Field label={comment} aside={<CharacterCount length={words.length} max={SURVEY_COMMENT_MAX} />}>
                <TextArea
                  rows={3}
                  maxLength={SURVEY_COMMENT_MAX}
                  value={words}
                  onChange={(event) => write(event.target.value)}
                />
              </Field>
            )}
          </div>
        </Form>
      </DialogBody>
      <DialogFoot>
        <div className={s.buttons}>
          <Button kind="quiet" onClick={onSkip}>
            Skip
          </Button>
          <Button type="submit" form={form}>
            Send
          </Button>
        </div>
      </DialogFoot>
    </>
  );
}
