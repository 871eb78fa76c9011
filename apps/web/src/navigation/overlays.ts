import { createOverlays } from "@marketday/client/overlays/create-overlays.tsx";

import type { Modal } from "./modals.ts";
import { paths } from "./paths.ts";

/** Opening, replacing and leaving the shop's pages, overlays and modals. */
export const { NavigationProvider, OverlayLink, useLeaveGuard, useNavigation, usePendingPage } = createOverlays<Modal>({
  home: paths.shop,
});
