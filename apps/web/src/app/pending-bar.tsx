import { useReachable } from "@marketday/ui/dialog-stack.ts";
import { announce } from "@marketday/ui/live-region.tsx";
import { useEffect } from "react";
import { createPortal } from "react-dom";

import { usePendingPage } from "../navigation/overlays.ts";

import s from "./pending-bar.module.css";

/** A page that is here sooner needs no sign, ms; the same in the style sheet. */
const AT_ONCE = 80;

/** The sign that a page is on its way while its code loads: a thin line at the top, above an open dialog too. */
export function PendingBar() {
  const isPending = usePendingPage() !== null;
  const reachable = useReachable();
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => announce("Loading the page"), AT_ONCE);
    return () => clearTimeout(timer);
  }, [isPending]);
  return (
    isPending && createPortal(<div role="progressbar" aria-label="Loading the page" className={s.bar} />, reachable)
  );
}
