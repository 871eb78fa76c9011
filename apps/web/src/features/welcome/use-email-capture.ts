import { hasUnsavedWork } from "@marketday/client/unsaved-work.ts";
import { useEffect, useRef, useState } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { countVisit, isEmailCapturePaused } from "./email-capture.ts";

/** How long a guest looks round first. */
const LOOK_ROUND_MS = 10_000;

/**
 * Asks a guest who came back for an address (spec §2.4 Email capture): on the shop, once no overlay is open and nothing is
 * being typed, and then not again for 30 days. Never on the first visit.
 */
export function useEmailCapture(): void {
  const { openModal } = useNavigation();
  const { isGuest, hubId } = useShopper();
  const [returned] = useState(() => countVisit() > 1);
  const isFree = useNavigation(({ layers }) => layers.stack.length === 0 && layers.page.pathname === "/shop");
  const open = useRef(openModal);
  useEffect(() => {
    open.current = openModal;
  }, [openModal]);

  useEffect(() => {
    if (!returned || !isGuest || hubId === null || !isFree || isEmailCapturePaused()) return;
    const timer = setTimeout(() => {
      if (!hasUnsavedWork() && !isEmailCapturePaused()) open.current({ kind: "email-capture" });
    }, LOOK_ROUND_MS);
    return () => clearTimeout(timer);
  }, [returned, isGuest, hubId, isFree]);
}
