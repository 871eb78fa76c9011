import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import type { ReactNode } from "react";

import { useLeaveGuard } from "./overlays.ts";

/** While it is on screen, X, Esc, the scrim and Back, the browser's too, confirm before they leave the layer it is in. */
export function ConfirmLeaving({ title, children }: { title: string; children: ReactNode }) {
  const { leave, stay } = useLeaveGuard();
  if (!leave) return null;
  return (
    <Dialog onClose={stay}>
      <DialogBody>
        <DialogTitle>{title}</DialogTitle>
        <p>{children}</p>
      </DialogBody>
      <DialogFoot row>
        <Button kind="outline" onClick={leave}>
          Leave anyway
        </Button>
        <Button onClick={stay}>Stay</Button>
      </DialogFoot>
    </Dialog>
  );
}
