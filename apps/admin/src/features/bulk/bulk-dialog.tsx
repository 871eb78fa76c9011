import { controlIds, problemsOf } from "@marketday/client/forms/problems.ts";
import { useForm } from "@marketday/client/forms/use-form.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { BulkPlan } from "@marketday/contracts/admin/bulk";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import * as t from "#messages/bulk";

import { useFormDraft } from "../../lib/drafts.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { currentPlan, NONE, planQuery, pointsQuery, sendBulk, type Values } from "./api.ts";
import { Effect, effectWords } from "./effect.tsx";
import { PointField } from "./point-field.tsx";

import s from "./bulk.module.css";

const ids = controlIds("bulk", NONE);

interface BulkDialogProps {
  verb: t.Verb;
  orderIds: readonly number[];
  onDone: () => void;
  onClose: () => void;
}

/** Of a dialog: an action on many orders, what it does first, then the one button that does it. What is typed stays until it is done. */
export default function BulkDialog({ verb, orderIds, onDone, onClose }: BulkDialogProps) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { values, put, clear } = useFormDraft<Values>(`bulk-${verb}`, NONE);
  const [chosen, setChosen] = useState<readonly number[]>(orderIds);
  const [current, setCurrent] = useState<{ plan: BulkPlan; of: string } | null>(null);
  // Of all that were selected: the choice stays when some are left out.
  const markets = useQuery({ ...pointsQuery(orderIds), enabled: verb === "place" });
  const report = useRef<HTMLDivElement>(null);
  // One that was chosen before may have closed, or is of another market.
  const isChosen =
    verb !== "place" ||
    markets.data?.some(({ points }) => points.some(({ id }) => String(id) === values.pickupPointId)) === true;
  const query = useQuery({ ...planQuery(verb, chosen, values), enabled: isChosen });
  const key = `${values.refundTo} ${values.pickupPointId} ${chosen.join()}`;
  const plan = !isChosen ? undefined : current?.of === key ? current.plan : query.data;
  const { running, error, problems, field, submit } = useForm({
    ids,
    problems: problemsOf(ids, {
      reason: verb === "cancel" && values.reason.trim() === "" && t.reasonMissing,
      subject: verb === "message" && values.subject.trim() === "" && t.subjectMissing,
      pickupPointId: !isChosen && t.pointMissing,
      text: verb === "message" && values.text.trim() === "" && t.textMissing,
    }),
  });
  const canDo = plan !== undefined && plan.refused.length === 0 && plan.boxes.length > 0 && plan.overLimit === null;
  const words = plan && effectWords(verb, plan);
  const run = async () => {
    if (!plan) return;
    const sent = { orderIds: [...chosen], dryRun: false, token: plan.token };
    try {
      const done = await withStepUp(
        { title: t.titles[verb], effect: `${t.stepUpEffect} ${words}`, action: t.titles[verb] },
        (idempotencyKey) => sendBulk(verb, sent, values, { idempotencyKey }),
        { verb, sent, values },
      );
      if (!done) return;
      for (const action of done.actions) cacheAction(client, action);
      clear();
      onDone();
    } catch (cause) {
      const now = currentPlan(cause);
      if (now) setCurrent({ plan: now, of: key });
      throw cause;
    } finally {
      void rereadActions(client);
      void client.invalidateQueries({ predicate: ({ queryKey }) => OLD.has(String(queryKey[0])) });
    }
  };
  const wording = (cause: unknown): string => {
    if (cause instanceof ApiError && cause.isOffline) return t.unknown;
    return cause instanceof ApiError && cause.code === "conflict" ? t.conflict : messageOf(cause);
  };
  return (
    <>
      <DialogTitle>{t.titles[verb]}</DialogTitle>
      <DialogBody>
        <Form
          problems={problems}
          onSubmit={() => {
            if (canDo) void submit(run, wording);
          }}
        >
          <Stack gap={4}>
            {verb === "place" && (
              <PointField
                markets={markets}
                value={values.pickupPointId}
                onChange={(pickupPointId) => put({ pickupPointId })}
                field={field("pickupPointId")}
              />
            )}
            <div ref={report} role="group" aria-label={t.whatItDoes} aria-live="polite" tabIndex={-1}>
              {!isChosen ? null : plan ? (
                <Effect
                  verb={verb}
                  plan={plan}
                  onOthers={(others) => {
                    setChosen(others);
                    // The button is gone with the plan.
                    report.current?.focus();
                  }}
                />
              ) : query.error ? (
                <>
                  <p>{messageOf(query.error)}</p>
                  <Button kind="outline" onClick={() => void query.refetch()}>
                    {t.tryAgain}
                  </Button>
                </>
              ) : (
                <p>{t.planning}</p>
              )}
            </div>
            {verb === "cancel" && (
              <>
                <Field label={t.reason} hint={t.reasonHint} {...field("reason")}>
                  <TextInput
                    autoComplete="off"
                    maxLength={500}
                    value={values.reason}
                    onChange={({ target }) => put({ reason: target.value })}
                  />
                </Field>
                {plan && plan.back + plan.credit > 0 && (
                  <RadioChips
                    legend={t.refundTo}
                    chips={[
                      { value: "card", label: t.toCard },
                      { value: "credit", label: t.toCredit },
                    ]}
                    value={values.refundTo}
                    onChange={(refundTo) => put({ refundTo })}
                  />
                )}
              </>
            )}
            {verb === "message" && (
              <>
                <Field label={t.subject} {...field("subject")}>
                  <TextInput
                    autoComplete="off"
                    maxLength={150}
                    value={values.subject}
                    onChange={({ target }) => put({ subject: target.value })}
                  />
                </Field>
                <Field label={t.text} hint={t.textHint} {...field("text")}>
                  <TextArea
                    rows={6}
                    maxLength={5000}
                    value={values.text}
                    onChange={({ target }) => put({ text: target.value })}
                  />
                </Field>
                <p className={s.quiet}>{t.onceEach}</p>
              </>
            )}
            {error && <AlertBox key={error}>{error}</AlertBox>}
            {canDo && (
              <Button
                type="submit"
                wide
                kind={verb === "cancel" ? "danger" : "primary"}
                busy={running !== null && t.doing}
              >
                {t.doIt[verb](plan.boxes.length, verb === "cancel" ? plan.back + plan.credit : plan.amount, plan.mails)}
              </Button>
            )}
            <Button kind="quiet" wide onClick={onClose}>
              {t.close}
            </Button>
          </Stack>
        </Form>
      </DialogBody>
    </>
  );
}

/** The first parts of the keys of what an action makes old. */
const OLD = new Set(["today", "day", "order", "orders"]);
