import * as calls from "@marketday/contracts/calls";
import { useEffect, useEffectEvent } from "react";

import { call } from "../../lib/api.ts";
import { setItem, getItem } from "../../lib/storage.ts";
import { useNavigation } from "../../navigation/use-navigation.tsx";

/** From the confirmation to the question, ms: first the order is read. */
const PAUSE = 1500;

const shownKey = (orderId: number) => `survey-shown:${orderId}`;

/**
 * Asks the one survey the server chose for an order (spec §4 After checkout), a moment after its confirmation is seen,
 * once, and never over another layer: with one open it waits until that is gone. A survey that cannot be had is none.
 */
export function SurveyAfter({ orderId }: { orderId: number }) {
  const { openModal } = useNavigation();
  const free = useNavigation(({ layers }) => layers.stack.length === 0);
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    if (getItem("session", shownKey(orderId))) return;
    const survey = await call(calls.getSurvey, { params: { id: orderId } }, { signal }).catch(() => null);
    // A layer that was opened meanwhile: the question comes when that is closed.
    if (signal.aborted || !survey?.type || survey.questionId === null) return;
    setItem("session", shownKey(orderId), true);
    const { type, questionId, vendors } = survey;
    openModal({ kind: "survey", orderId, survey: { type, questionId, ...(vendors && { vendors }) } });
  });
  useEffect(() => {
    if (!free) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => void ask(leaving.signal), PAUSE);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [free]);
  return null;
}
