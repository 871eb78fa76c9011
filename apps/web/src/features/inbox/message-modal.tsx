import { useAction } from "@marketday/client/forms/use-action.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { useEffect, useRef, useState } from "react";

import { useDraft } from "../../lib/drafts.ts";
import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useInboxActions } from "./api.ts";
import { canSend, MessageField } from "./message-field.tsx";

/** Write to a vendor (spec §5 Message to a vendor): 250 characters; the answer comes into the inbox. */
export default function MessageModal({ modal, onDone }: ModalProps<Extract<Modal, { kind: "message" }>>) {
  const { vendor, name } = modal;
  const { replaceWith, replaceWithModal } = useNavigation();
  const { messageVendor } = useInboxActions();
  const { text, write, clear } = useDraft(`message-${vendor}`);
  const { running, error, attempt } = useAction();
  const [threadId, setThreadId] = useState<number | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const sent = useRef<HTMLDivElement>(null);
  useEffect(() => (threadId === null ? field.current : sent.current)?.focus(), [threadId]);
  const submit = () => {
    if (!canSend(text) || running) return;
    const run = async () => {
      try {
        const id = await messageVendor(vendor, text.trim());
        clear();
        setThreadId(id);
      } catch (failure) {
        // The session ended under us: the words wait in the draft.
        if (failure instanceof ApiError && failure.code === "login_required")
          return replaceWithModal({ kind: "login" });
        throw failure;
      }
    };
    void attempt("message", run);
  };
  return (
    <DialogBody>
      <Stack gap={4}>
        <DialogTitle>Message {name}</DialogTitle>
        {threadId === null ? (
          <>
            <p>{name} will answer in your inbox, and we'll email you.</p>
            <Form onSubmit={submit}>
              <MessageField ref={field} label="Your message" text={text} readOnly={running !== null} onChange={write} />
              <Button type="submit" size="lg" wide disabled={!canSend(text)} busy={running !== null && "Sending…"}>
                Send
              </Button>
            </Form>
            {error && <AlertBox>{error}</AlertBox>}
          </>
        ) : (
          <>
            <div ref={sent} tabIndex={-1} role="status">
              <Banner tone="other" title="Your message is on its way">
                {name} will answer in your inbox.
              </Banner>
            </div>
            <Button size="lg" wide onClick={() => replaceWith(paths.thread(threadId))}>
              See the conversation
            </Button>
            <Button kind="outline" size="lg" wide onClick={onDone}>
              Close
            </Button>
          </>
        )}
      </Stack>
    </DialogBody>
  );
}
