import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { useState } from "react";

import type { SurveyProps } from "./send.ts";
import { SurveyForm } from "./survey-form.tsx";

const FIRST = "survey-subscribe";
const answers = [
  {
    value: "Yes, tell me more",
    label: "Yes, tell me more",
    note: "Press Subscribe next to Add to Cart on anything you like",
  },
  { value: "Perhaps later", label: "Maybe later" },
  { value: "No, I like to choose each week", label: "No, I like to choose each week" },
];

/** For a customer without subscriptions: whether to subscribe to something. */
export function SubscribeSurvey({ draftKey, onAnswer, onSkip }: SurveyProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  return (
    <SurveyForm
      draftKey={draftKey}
      title="Should some things be ordered automatically?"
      problems={missing ? [{ field: FIRST, message: missing }] : []}
      onSkip={onSkip}
      onSubmit={() => (chosen === null ? setMissing("Choose one of the answers.") : onAnswer({ response: chosen }))}
    >
      <p>
        Eggs every week, honey every fourth: a subscription fills your wagon, and you can change it until the cutoff.
      </p>
      <RadioRows
        id={FIRST}
        legend="Would you like that?"
        rows={answers}
        value={chosen}
        error={missing}
        onChange={(value) => {
          setChosen(value);
          setMissing(null);
        }}
      />
    </SurveyForm>
  );
}
