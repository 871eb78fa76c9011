import { toast } from "@marketday/ui/toast-store.ts";
import type { ReactNode } from "react";

import { forgetDraft } from "../../lib/drafts.ts";
import type { ModalProps, Modal, Survey } from "../../navigation/modals.ts";
import { ScoreSurvey } from "./score-survey.tsx";
import { sendAnswer, type SurveyProps } from "./send.ts";
import { ShareSurvey } from "./share-survey.tsx";
import { SourceSurvey } from "./source-survey.tsx";
import { SubscribeSurvey } from "./subscribe-survey.tsx";

const forms: Record<Survey["type"], (props: SurveyProps) => ReactNode> = {
  MarketingSource: SourceSurvey,
  CSAT: ScoreSurvey,
  NPS: ScoreSurvey,
  Share: ShareSurvey,
  Subscribe: SubscribeSurvey,
};

/** One question after an order (spec §2.4 Post-order survey modals); skipping is always there. */
export default function SurveyModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "survey" }>>) {
  const { orderId, survey } = modal;
  const Form = forms[survey.type];
  const draftKey = `survey-${orderId}-${survey.type}`;
  const leave = () => {
    forgetDraft(draftKey);
    onDone();
  };
  const answer: SurveyProps["onAnswer"] = (given) => {
    void sendAnswer(orderId, survey, given);
    toast({ text: "Thank you." });
    leave();
  };
  return <Form draftKey={draftKey} survey={survey} onAnswer={answer} onSkip={leave} />;
}
