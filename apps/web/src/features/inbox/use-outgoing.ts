import { newKey } from "@marketday/client/forms/new-key.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { announce } from "@marketday/ui/live-region.tsx";
import { useState } from "react";

import { removeItem, setItem, getItem } from "../../lib/storage.ts";
import { useInboxActions } from "./api.ts";

interface Outgoing {
  text: string;
  /** The same for every try, so that a lost answer makes no second message. */
  key: string;
}

/**
 * A reply on its way: shown at once, kept in this tab until the market has it. What failed, or was left by a reload, stays
 * as "not sent" and can be sent again or taken back.
 */
export function useOutgoing(threadId: number) {
  const name = `reply-out:${threadId}`;
  const [outgoing, setOutgoing] = useState(() => getItem<Outgoing>("session", name));
  const { running, error, attempt } = useAction();
  const { reply } = useInboxActions();
  const drop = () => {
    removeItem("session", name);
    setOutgoing(null);
  };
  const run = ({ text, key }: Outgoing) =>
    void attempt("reply", async () => {
      await reply(threadId, text, key);
      drop();
      announce("Message sent");
    });
  return {
    outgoing,
    isSending: running !== null,
    error,
    send(text: string) {
      const next = { text, key: newKey() };
      setItem("session", name, next);
      setOutgoing(next);
      run(next);
    },
    again() {
      if (outgoing) run(outgoing);
    },
    /** Returns the text to the field. */
    takeBack(): string {
      drop();
      return outgoing?.text ?? "";
    },
  };
}
