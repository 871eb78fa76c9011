import { TAKES_LONG } from "@marketday/client/messages.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import type { FrameMessage } from "@marketday/contracts/frame";
import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";
import { DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";

import { messages } from "../../lib/messages.ts";
import { useOpenFrame } from "../../lib/open-frames.ts";
import { ConfirmLeaving } from "../../navigation/confirm-leaving.tsx";
import { hearFrame } from "./frame-messages.ts";

import s from "./frame-overlay.module.css";

/** Our own page, which has reported that it is ready. */
const isOurs = (frame: HTMLIFrameElement): boolean => {
  try {
    return Boolean(frame.contentDocument?.getElementById("root"));
  } catch {
    return false;
  }
};

interface FrameOverlayProps {
  title: string;
  /** "/embed/…" */
  src: string;
  /** False: the frame waits for something of the app. */
  ready?: boolean;
  /** What it waits for cannot reach the server: it says so, with Retry. */
  onRetry?: () => void;
  /** The whole screen, without the dialog's head. */
  full?: boolean;
  /** What stands there until the frame is up: "Loading checkout…". */
  opening: string;
  /** Below the words while it loads, beside Retry when it does not come. */
  wayOut?: ReactNode;
  /** What the frame says, already checked for origin and window. */
  onMessage: (message: FrameMessage) => void;
}

/**
 * A page of ours in a frame (spec §2.4 External pages, §4 messages). Nothing here may remount while it is open: what was
 * typed lives in the frame.
 */
export function FrameOverlay({
  title,
  src,
  ready = true,
  onRetry,
  full,
  opening,
  wayOut,
  onMessage,
}: FrameOverlayProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<"loading" | "up" | "failed" | "late">("loading");
  const [turn, setTurn] = useState(0);

  const [isPaying, setPaying] = useState(false);

  const hear = useEffectEvent((event: MessageEvent) => {
    const message = hearFrame(event, { origin: location.origin, source: () => frame.current?.contentWindow });
    if (message?.kind === "busy" || message?.kind === "idle") setPaying(message.kind === "busy");
    else if (message) onMessage(message);
  });
  useEffect(() => {
    const listen = (event: MessageEvent) => hear(event);
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);

  const isLoading = ready && state === "loading";
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setState("late"), REQUEST_DEADLINE_MS);
    return () => clearTimeout(timer);
  }, [isLoading]);

  // A reload would lose what is typed in the frame.
  const isOpen = ready && (state === "loading" || state === "up");
  useUnsaved(isOpen);
  useOpenFrame(isOpen);

  return (
    <div className={s.overlay} data-full={full ? "" : undefined}>
      <DialogTitle hidden>{title}</DialogTitle>
      {state !== "up" && (
        <div className={s.wait}>
          {state === "loading" && !onRetry ? (
            <>
              <p role="status">{opening}</p>
              {wayOut}
            </>
          ) : (
            <ErrorState
              message={state === "late" && !onRetry ? TAKES_LONG : messages.network}
              wayOut={wayOut}
              onRetry={
                onRetry ??
                (() => {
                  setState("loading");
                  setTurn(turn + 1);
                })
              }
            >
              {!full && (
                <a href={src} target="_blank" rel="noopener noreferrer">
                  Open in a new tab
                </a>
              )}
            </ErrorState>
          )}
        </div>
      )}
      {isOpen && (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- a page of our own origin, scripts and all: nothing to fence in
        <iframe
          key={turn}
          ref={frame}
          className={s.frame}
          title={title}
          src={src}
          data-up={state === "up" ? "" : undefined}
          onLoad={({ currentTarget }) => setState(isOurs(currentTarget) ? "up" : "failed")}
        />
      )}
      {isPaying && (
        <ConfirmLeaving title="Your payment is still going through">
          It goes on if you leave now. Come back here to see how it ended: you won&apos;t pay twice.
        </ConfirmLeaving>
      )}
    </div>
  );
}
