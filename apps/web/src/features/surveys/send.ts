import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";

import { call } from "../../lib/api.ts";
import type { Survey } from "../../navigation/modals.ts";

export interface Answer {
  response: number | string;
  vendorId?: number;
  comment?: string;
}

/** ms to the next try. */
const TRIES = [2000, 8000, 30_000];

/**
 * Sends an answer in the background: the shopper is thanked either way. Tried again where nothing arrived or
 * the server was busy; a refusal, as for a survey that was answered in another tab, is the end of it.
 */
export async function sendAnswer(
  orderId: number,
  { type, questionId }: Survey,
  answer: Answer,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
  send: typeof call = call,
): Promise<boolean> {
  for (const pause of [...TRIES, null]) {
    try {
      await send(calls.answerSurvey, { params: { id: orderId }, body: { type, questionId, ...answer } });
      return true;
    } catch (error) {
      const again =
        error instanceof ApiError && (error.isOffline || (error.status ?? 0) >= 500 || error.status === 429);
      if (!again || pause === null) return false;
      await wait(pause);
    }
  }
  return false;
}

/** What each survey's form is given. */
export interface SurveyProps {
  /** Names what is typed, for the copy that outlives a closed survey. */
  draftKey: string;
  survey: Survey;
  onAnswer: (answer: Answer) => void;
  onSkip: () => void;
}
