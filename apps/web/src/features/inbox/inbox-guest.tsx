import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { useId } from "react";

import { useNavigation } from "../../navigation/overlays.ts";

/** Guests have no inbox (spec §6). */
export function InboxGuest() {
  const { openModal } = useNavigation();
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
