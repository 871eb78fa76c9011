import { SURVEY_COMMENT_MAX } from "@marketday/domain/limits";
import { FROM_A_VENDOR, MARKETING_SOURCES, OTHER_SOURCE } from "@marketday/domain/survey";
import { CharacterCount } from "@marketday/ui/character-count.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useState } from "react";

import { useFormDraft } from "../../lib/drafts.ts";
import { sourceAnswer, type SourceDraft } from "./answer.ts";
import type { SurveyProps } from "./send.ts";
import { SurveyForm } from "./survey-form.tsx";
import { VendorChoice } from "./vendor-choice.tsx";

import s from "./survey.module.css";

const emptySource: SourceDraft = { option: null, vendorId: null, words: "" };
const FIRST = "survey-source";

/** How a new shopper found the market (spec §5 Marketing source). */
export function SourceSurvey({ draftKey, survey, onAnswer, onSkip }: SurveyProps) {
  const choice = useFormDraft<SourceDraft>(draftKey, emptySource);
  const draft = choice.values;
  const [missing, setMissing] = useState<string | null>(null);
  const put = (change: Partial<SourceDraft>) => {
    choice.put(change);
    setMissing(null);
  };
  return (
    <SurveyForm
      draftKey={`${draftKey}-comment`}
      title="How did you hear about us?"
      problems={missing ? [{ field: FIRST, message: missing }] : []}
      onSkip={onSkip}
      onSubmit={() => {
        const answer = sourceAnswer(draft);
        if (typeof answer === "string") setMissing(answer);
        else onAnswer(answer);
      }}
    >
      <div className={s.tight}>
        <RadioRows
          id={FIRST}
          legend="How did you hear about us?"
          legendHidden
          error={missing}
          value={draft.option}
          onChange={(option) => put({ option })}
          rows={MARKETING_SOURCES.map((option) => ({ value: option as string, label: option }))}
        />
      </div>
      {draft.option === FROM_A_VENDOR && (
        <VendorChoice
          offered={survey.vendors ?? []}
          value={draft.vendorId}
          onChange={(vendorId) => put({ vendorId })}
        />
      )}
      {draft.option === OTHER_SOURCE && (
        <Field
          label="Where was it? (optional)"
          aside={<CharacterCount length={draft.words.length} max={SURVEY_COMMENT_MAX} />}
        >
          <TextInput
            maxLength={SURVEY_COMMENT_MAX}
            value={draft.words}
            onChange={(event) => put({ words: event.target.value })}
          />
        </Field>
      )}
    </SurveyForm>
  );
}
