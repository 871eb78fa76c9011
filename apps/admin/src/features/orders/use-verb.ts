import { cacheAnswer } from "@marketday/client/query-client.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { cacheAction, rereadActions } from "../actions/api.ts";
import type { StepUpSubject } from "../session/step-up-sheet.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { currentBox, orderQuery } from "./api.ts";

/** What a verb answers: its action, which may be held, or the box with its actions. */
type Answer = StaffAction | { box: OrderBox; action?: StaffAction; actions?: StaffAction[] };

/**
 * Sends a verb of a box. Its action is shown at once with its Undo; a box that another person changed meanwhile replaces the one on the
 * screen, and what was typed stays.
 */
export function useVerb({ id }: OrderBox, done: () => void) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const [isChanged, setChanged] = useState(false);
  const { queryKey } = orderQuery(String(id));

  const show = (answer: Answer) => {
    if ("box" in answer) {
      for (const action of [answer.action ?? [], answer.actions ?? []].flat().toReversed()) cacheAction(client, action);
      cacheAnswer(client, queryKey, answer.box);
      return;
    }
    cacheAction(client, answer);
    cacheAnswer<OrderBox>(
      client,
      queryKey,
      (box) => box && { ...box, held: [answer, ...box.held.filter((each) => each.id !== answer.id)] },
    );
  };

  /** `subject`: for the sheet that confirms who it is, when the server requests that. */
  const send = async (request: unknown, subject: StepUpSubject, run: (idempotencyKey: string) => Promise<Answer>) => {
    setChanged(false);
    try {
      const answer = await withStepUp(subject, run, request);
      if (answer === null) return;
      show(answer);
      done();
    } catch (cause) {
      const current = currentBox(cause);
      if (current) {
        cacheAnswer(client, queryKey, current);
        setChanged(true);
        return;
      }
      void client.invalidateQueries({ queryKey, exact: true });
      throw cause;
    } finally {
      void rereadActions(client);
    }
  };
  return { isChanged, send };
}
