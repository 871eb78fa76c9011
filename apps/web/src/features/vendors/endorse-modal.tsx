import { useForm } from "@marketday/client/forms/use-form.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { ENDORSEMENT_COMMENT_MAX } from "@marketday/domain/limits";
import { AGREEMENT_LABELS } from "@marketday/domain/survey";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount } from "@marketday/ui/character-count.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { Scale } from "@marketday/ui/scale.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { useFormDraft } from "../../lib/drafts.ts";
import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { endorse } from "./api.ts";
import {
  emptyEndorsement,
  type EndorsementDraft,
  endorsementBody,
  endorsementIds,
  endorsementProblems,
  relationships,
  visitLabels,
} from "./endorsement.ts";

import s from "./endorse-modal.module.css";

const yesNo: { value: "yes" | "no"; label: string }[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];
const wordOf = (answer: boolean | null) => (answer === null ? null : answer ? "yes" : "no");

/** Endorse a vendor: how much, as whom, and of a visit only if there was one (spec §5 Endorsement). */
export default function EndorseModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "endorse" }>>) {
  const { vendor, name } = modal;
  const client = useQueryClient();
  const { replaceWithModal } = useNavigation();
  const { values: draft, put: set, clear } = useFormDraft<EndorsementDraft>(`endorse-${vendor}`, emptyEndorsement);
  const { running, error, problems, field, submit } = useForm({
    ids: endorsementIds,
    problems: endorsementProblems(draft),
  });
  const visit = useRef<HTMLInputElement>(null);
  const { hasVisited } = draft;
  useEffect(() => {
    if (hasVisited) visit.current?.focus();
  }, [hasVisited]);

  const send = async () => {
    const body = endorsementBody(draft);
    if (!body) return;
    try {
      await endorse(client, vendor, body);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== "login_required") throw failure;
      return replaceWithModal({ kind: "login" });
    }
    clear();
    toast({ text: `Your endorsement of ${name} is in` });
    onDone();
  };

  return (
    <DialogBody>
      <div className={s.endorse}>
        <DialogTitle>Endorse {name}</DialogTitle>
        <Form onSubmit={() => void submit(send)} problems={problems}>
          <Scale
            {...field("score")}
            legend={`I would recommend ${name} to my neighbors.`}
            labels={AGREEMENT_LABELS}
            value={draft.score}
            onChange={(score) => set({ score })}
          />
          <RadioRows
            {...field("relationship")}
            legend="How do you know them?"
            rows={relationships}
            value={draft.relationship}
            onChange={(relationship) => set({ relationship })}
          />
          <Field
            label="Comment (optional)"
            aside={<CharacterCount length={draft.comment.length} max={ENDORSEMENT_COMMENT_MAX} />}
          >
            <TextArea
              value={draft.comment}
              maxLength={ENDORSEMENT_COMMENT_MAX}
              onChange={({ target }) => set({ comment: target.value })}
            />
          </Field>
          <RadioChips
            legend="Have you visited them?"
            chips={yesNo}
            value={wordOf(hasVisited)}
            onChange={(answer) => set({ hasVisited: answer === "yes" })}
          />
          {hasVisited && (
            <div className={s.visit}>
              <Scale
                ref={visit}
                legend="How was your visit?"
                labels={visitLabels}
                value={draft.visitRating}
                onChange={(visitRating) => set({ visitRating })}
              />
              <RadioChips
                legend="Would you visit again?"
                chips={yesNo}
                value={wordOf(draft.wouldVisitAgain)}
                onChange={(answer) => set({ wouldVisitAgain: answer === "yes" })}
              />
            </div>
          )}
          {error && <AlertBox>{error}</AlertBox>}
          <Button type="submit" size="lg" wide busy={running !== null && "Sending…"}>
            Endorse
          </Button>
        </Form>
      </div>
    </DialogBody>
  );
}
