import { useAction } from "@marketday/client/forms/use-action.ts";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Grid, Stack } from "@marketday/ui/layout.tsx";

import { screenMessages } from "../../lib/screen-messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { forgetSearches } from "../search/recent.ts";
import { logout } from "./api.ts";

/** Asks first (spec §2.3); then the session ends and the market starts over. */
export default function LogoutModal() {
  const { close } = useNavigation();
  const { running, error, attempt } = useAction();
  // The next person at this device sees nothing of theirs.
  const leave = async () => {
    await logout();
    forgetSearches();
  };
  return (
    <DialogBody>
      <Stack gap={5}>
        <DialogTitle>{screenMessages.logoutConfirm}</DialogTitle>
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        <Grid min="button" gap={3}>
          <Button kind="outline" size="lg" onClick={close}>
            Cancel
          </Button>
          <Button size="lg" busy={running !== null && "Logging out…"} onClick={() => void attempt("logout", leave)}>
            Logout
          </Button>
        </Grid>
      </Stack>
    </DialogBody>
  );
}
