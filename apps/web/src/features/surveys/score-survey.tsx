import { problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { CSAT_MIN, NPS_MAX, NPS_MIN } from "@marketday/domain/limits";
import { AGREEMENT_LABELS } from "@marketday/domain/survey";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { Scale } from "@marketday/ui/scale.tsx";
import { useState } from "react";

import { config } from "../../lib/boot.ts";
import type { SurveyProps } from "./send.ts";
import { SurveyForm } from "./survey-form.tsx";

import s from "./survey.module.css";

const ids = { response: "survey-score" };

/** CSAT 1 to 5 and NPS 0 to 10 (spec §5): a score is needed before it is sent. */
export function ScoreSurvey({ draftKey, survey, onAnswer, onSkip }: SurveyProps) {
  const [score, setScore] = useState<number | null>(null);
  const { problems, field, check } = useForm({
    ids,
    problems: problemsOf(ids, { response: score === null && "Choose a number." }),
  });
  const { id, error } = field("response");
  return (
    <SurveyForm
      draftKey={draftKey}
      title={survey.type === "CSAT" ? "How was it?" : `Would you tell a friend about ${config.marketName}?`}
      comment="Anything to add? (optional)"
      problems={problems}
      onSkip={onSkip}
      onSubmit={(comment) => check() && score !== null && onAnswer({ response: score, ...comment })}
    >
      {survey.type === "CSAT" ? (
        <Scale
          id={id}
          legend={`I am happy with ${config.marketName}.`}
          from={CSAT_MIN}
          labels={AGREEMENT_LABELS}
          value={score}
          onChange={setScore}
          error={error}
        />
      ) : (
        <div className={s.score}>
          <RadioChips
            legend="How likely is it, from 0 to 10?"
            chips={Array.from({ length: NPS_MAX - NPS_MIN + 1 }, (_, place) => ({
              value: NPS_MIN + place,
              label: String(NPS_MIN + place),
            }))}
            value={score}
            onChange={setScore}
          />
          <p className={s.ends}>
            <span>0: not likely</span>
            <span>10: very likely</span>
          </p>
          {error && (
            <p role="alert" id={id} tabIndex={-1}>
              {error}
            </p>
          )}
        </div>
      )}
    </SurveyForm>
  );
}
