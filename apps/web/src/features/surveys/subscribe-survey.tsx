import { problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { useState } from "react";

import type { SurveyProps } from "./send.ts";
import { SurveyForm } from "./survey-form.tsx";

const ids = { response: "survey-subscribe" };
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
  const { problems, field, check } = useForm({
    ids,
    problems: problemsOf(ids, { response: chosen === null && "Choose one of the answers." }),
  });
  return (
    <SurveyForm
      draftKey={draftKey}
      title="Should some things be ordered automatically?"
      problems={problems}
      onSkip={onSkip}
      onSubmit={() => check() && chosen !== null && onAnswer({ response: chosen })}
    >
      <p>
        Eggs every week, honey every fourth: a subscription fills your wagon, and you can change it until the cutoff.
      </p>
      <RadioRows
        {...field("response")}
        legend="Would you like that?"
        rows={answers}
        value={chosen}
        onChange={setChosen}
      />
    </SurveyForm>
  );
}
