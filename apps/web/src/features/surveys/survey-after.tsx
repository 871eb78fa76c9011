import { useEffect, useEffectEvent, useRef } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { claimSurvey, forgetClaim } from "./claim.ts";

/** Seconds for which the receipt is in sight before the question: after its end was seen, and without that. */
const END_SEEN_SECONDS = 10;
const READ_SECONDS = 25;

/**
 * Opens the one survey that the server chose for an order (spec §4 After checkout), once the receipt above could be read, and never
 * over another layer: with one open it waits until that is gone. The server keeps that it was shown, so that no other tab or device
 * shows it too. A survey that cannot be had is none.
 */
export function SurveyAfter({ orderId }: { orderId: number }) {
  const { openModal } = useNavigation();
  const free = useNavigation(({ layers }) => layers.stack.length === 0);
  const end = useRef<HTMLSpanElement>(null);
  const read = useRef({ seconds: 0, secondsAfterEnd: 0, isEndSeen: false, isRequested: false });

  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) read.current.isEndSeen = true;
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);

  const request = useEffectEvent(async (signal: AbortSignal) => {
    const survey = await claimSurvey(orderId, signal);
    // Another layer was opened meanwhile: once that is gone.
    if (signal.aborted) read.current.isRequested = false;
    else if (survey) {
      openModal({ kind: "survey", orderId, survey });
      forgetClaim(orderId);
    }
  });

  useEffect(() => {
    if (!free) return;
    const leaving = new AbortController();
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      const reading = read.current;
      if (reading.isRequested) return;
      reading.seconds += 1;
      if (reading.isEndSeen) reading.secondsAfterEnd += 1;
      if (reading.seconds < READ_SECONDS && reading.secondsAfterEnd < END_SEEN_SECONDS) return;
      reading.isRequested = true;
      void request(leaving.signal);
    }, 1000);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [free]);
  return <span ref={end} aria-hidden="true" />;
}
