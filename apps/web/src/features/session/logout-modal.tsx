import { messages } from "../../lib/messages.ts";
import { useAction } from "../../lib/use-action.ts";
import { useOverlays } from "../../navigation/use-overlays.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { DialogBody, DialogTitle } from "../../ui/dialog.tsx";
import { logout } from "./api.ts";

import s from "./logout-modal.module.css";

/** Asks first (spec §2.3); then the session ends and the market starts over. */
export default function LogoutModal() {
  const { close } = useOverlays();
  const { running, error, attempt } = useAction();
  const wording = (failure: unknown) => (failure instanceof Error ? failure.message : messages.network);
  return (
    <DialogBody>
      <div className={s.logout}>
        <DialogTitle>{messages.logoutConfirm}</DialogTitle>
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        <div className={s.buttons}>
          <Button kind="outline" size="lg" onClick={close}>
            Cancel
          </Button>
          <Button
            size="lg"
            busy={running !== null && "Logging out…"}
            onClick={() => void attempt("logout", logout, wording)}
          >
            Logout
          </Button>
        </div>
      </div>
    </DialogBody>
  );
}
