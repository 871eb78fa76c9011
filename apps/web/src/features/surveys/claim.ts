import * as calls from "@marketday/contracts/calls";

import { call } from "../../lib/api.ts";
import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import type { Survey } from "../../navigation/modals.ts";

/** Where the tab keeps the survey of an order that it has claimed and not shown yet. */
const claimedKey = (orderId: number): string => `survey:${orderId}`;

/**
 * The one survey that the server chose for an order, claimed for this tab: no other tab or device shows it then, so its code is
 * loaded first, and it is kept until it is shown, for a page that is left meanwhile. Null: there is none, or it cannot be had.
 */
export async function claimSurvey(orderId: number, signal: AbortSignal): Promise<Survey | null> {
  const key = claimedKey(orderId);
  const kept = getItem<Survey>("session", key);
  try {
    const survey = kept ?? (await chooseSurvey(orderId, signal));
    if (!survey) return null;
    await import("./survey-modal.tsx");
    if (kept || signal.aborted) return kept;
    // Before the answer: by then the page may be gone.
    setItem("session", key, survey);
    const { type, questionId } = survey;
    const { show } = await call(calls.showSurvey, { params: { id: orderId }, body: { type, questionId } });
    if (show) return survey;
    forgetClaim(orderId);
  } catch {
    // Without a network there is none.
  }
  return null;
}

/** It is open, with its code here. */
export const forgetClaim = (orderId: number): void => removeItem("session", claimedKey(orderId));

async function chooseSurvey(orderId: number, signal: AbortSignal): Promise<Survey | null> {
  const { type, questionId, vendors } = await call(calls.getSurvey, { params: { id: orderId } }, { signal });
  return type && questionId !== null ? { type, questionId, ...(vendors && { vendors }) } : null;
}
