import { useAction } from "@marketday/client/forms/use-action.ts";
import { announce } from "@marketday/ui/live-region.tsx";
import { useState } from "react";

import { attemptKeys } from "../../lib/attempt-keys.ts";
import { removeItem, setItem, getItem } from "../../lib/storage.ts";
import { useInboxActions } from "./api.ts";

/**
 * A reply on its way: shown at once, kept in this tab until the market has it. What failed, or was left by a reload, stays
 * as "not sent" and can be sent again or taken back.
 */
export function useOutgoing(threadId: number) {
  const name = `reply-out:${threadId}`;
  /** The same for every try, so that a lost answer makes no second message. */
  const attemptOf = (text: string) => `reply:${threadId}:${text}`;
  const [outgoing, setOutgoing] = useState(() => getItem<{ text: string }>("session", name));
  const { running, error, attempt } = useAction();
  const { reply } = useInboxActions();
  const drop = (text: string) => {
    attemptKeys.end(attemptOf(text));
    removeItem("session", name);
    setOutgoing(null);
  };
  const run = (text: string) =>
    void attempt("reply", async () => {
      await reply(threadId, text, attemptKeys.keyOf(attemptOf(text)));
      drop(text);
      announce("Message sent");
    });
  return {
    outgoing,
    isSending: running !== null,
    error,
    send(text: string) {
      setItem("session", name, { text });
      setOutgoing({ text });
      run(text);
    },
    again() {
      if (outgoing) run(outgoing.text);
    },
    /** Returns the text to the field. */
    takeBack(): string {
      const text = outgoing?.text ?? "";
      drop(text);
      return text;
    },
  };
}
