import { EMAIL_CAPTURE_PAUSE_MS } from "@marketday/domain/limits";

import { setItem, getItem } from "../../lib/storage.ts";

const COOKIE = "mkt_email_capture";
const VISITS = "visits";

/** Not shown again for 30 days, whatever the answer was (spec §9). */
export function pauseEmailCapture(): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${COOKIE}=1; Max-Age=${EMAIL_CAPTURE_PAUSE_MS / 1000}; Path=/; SameSite=Lax${secure}`;
}

export const isEmailCapturePaused = (): boolean =>
  document.cookie.split("; ").some((cookie) => cookie.startsWith(`${COOKIE}=`));

/** Counts this tab as a visit, once; how many there were, this one included. */
export function countVisit(): number {
  const before = getItem<number>("local", VISITS) ?? 0;
  if (getItem<boolean>("session", VISITS)) return before;
  setItem("session", VISITS, true);
  setItem("local", VISITS, before + 1);
  return before + 1;
}
