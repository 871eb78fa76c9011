import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/staff";

import { call } from "../../lib/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { useStepUp } from "../session/step-up.tsx";
import { currentOf, isLastOwner, type StaffMember, staffQuery } from "./api.ts";

interface AccessDialogProps {
  person: StaffMember;
  change: "disable" | "reset";
  onClose: () => void;
}

const wordsFor = ({ name, email, state }: StaffMember, change: "disable" | "reset") =>
  change === "disable"
    ? {
        title: t.disableSubject(name),
        effect: t.disableEffect(name),
        action: t.disableDo(name),
        busy: t.disabling,
        done: t.disabled(name),
      }
    : {
        title: t.resetSubject(name),
        effect:
          state === "active"
            ? t.resetEffect(name, email)
            : state === "disabled"
              ? t.enableEffect(name, email)
              : t.resendEffect(name, email),
        action: t.resetDo(name),
        busy: t.resetting,
        done: t.resetDone(email),
      };

/** Ends a person's access, or begins it again by a new link. It cannot be undone, so a sentence with the name comes first. */
export function AccessDialog({ person, change, onClose }: AccessDialogProps) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { running, error, attempt } = useAction();
  const { title, effect, action, busy, done } = wordsFor(person, change);
  const wording = (cause: unknown) => {
    if (currentOf(cause)) return t.conflictSeen(person.name);
    return isLastOwner(cause) ? t.lastOwner(person.name) : messageOf(cause);
  };
  const run = async () => {
    const input = { params: { id: person.id }, body: { expectedVersion: person.version } };
    try {
      const changed = await withStepUp(
        { title, effect, action },
        (idempotencyKey) =>
          change === "disable"
            ? call(calls.disableStaff, input, { idempotencyKey })
            : call(calls.resetStaff, input, { idempotencyKey }),
        input,
      );
      if (!changed) return;
    } finally {
      await client.invalidateQueries({ queryKey: staffQuery.queryKey });
    }
    toast({ text: done });
    onClose();
  };
  return (
    <Dialog onClose={onClose}>
      <DialogTitle>{title}</DialogTitle>
      <DialogBody>
        <Stack gap={4}>
          <p>{effect}</p>
          <Button
            kind={change === "disable" ? "danger" : "primary"}
            wide
            busy={running !== null && busy}
            onClick={() => void attempt(change, run, wording)}
          >
            {action}
          </Button>
          <Button kind="quiet" wide onClick={onClose}>
            {t.cancel}
          </Button>
          {error && <AlertBox key={error}>{error}</AlertBox>}
        </Stack>
      </DialogBody>
    </Dialog>
  );
}
