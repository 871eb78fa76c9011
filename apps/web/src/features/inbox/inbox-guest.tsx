import { useId } from "react";

import { useOverlays } from "../../navigation/use-overlays.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Guests have no inbox (spec §6). */
export function InboxGuest() {
  const { openModal } = useOverlays();
  const id = useId();
  return (
    <EmptyState
      icon="mail"
      title="Create a free account to use your inbox"
      action={
        <Button id={id} onClick={() => openModal({ kind: "login" }, id)}>
          Login
        </Button>
      }
    >
      Message a stall, and its answers show up here.
    </EmptyState>
  );
}
