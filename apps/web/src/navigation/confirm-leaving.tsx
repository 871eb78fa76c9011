import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { type ReactNode, useEffect, useState } from "react";

import { useNavigation } from "./use-navigation.tsx";

/** While it is on screen, X, Esc, the scrim and Back, the browser's too, confirm before they leave the layer it is in. */
export function ConfirmLeaving({ title, children }: { title: string; children: ReactNode }) {
  const { guard } = useNavigation();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => guard((next) => setLeave(() => next)), [guard]);
  if (!leave) return null;
  const stay = () => setLeave(null);
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
