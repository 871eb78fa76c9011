import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { useEffect, useState } from "react";

import { useNavigation } from "../../navigation/use-navigation.tsx";

/** While a frame pays: X, Esc, the scrim and Back, the browser's too, confirm before they leave it. */
export function LeaveGuard() {
  const { guard } = useNavigation();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => guard((next) => setLeave(() => next)), [guard]);
  if (!leave) return null;
  const stay = () => setLeave(null);
  return (
    <Dialog onClose={stay}>
      <DialogBody>
        <DialogTitle>Your payment is still going through</DialogTitle>
        <p>It goes on if you leave now. Come back here to see how it ended: you won&apos;t pay twice.</p>
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
