import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";

import * as t from "#messages";

import { Button } from "./button.tsx";
import { useReachable } from "./dialog-stack.ts";
import { hasPopovers } from "./has-popovers.ts";
import { IconButton } from "./icon-button.tsx";
import { dismissToast, type Toast, toastStore } from "./toast-store.ts";

import s from "./toaster.module.css";

/** Where toasts appear: above everything, and inside the top dialog when there is one, where they can be pressed. */
export function Toaster() {
  const reachable = useReachable();
  return createPortal(<Toasts />, reachable);
}

function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const place = useRef<HTMLDivElement>(null);
  const newest = toasts.at(-1)?.id;

  useEffect(() => {
    const element = place.current;
    // Not in a dialog that has just closed: the toasts appear again in what is below it.
    if (element?.isConnected && hasPopovers()) element.togglePopover(newest !== undefined);
  }, [newest]);

  return (
    <div ref={place} {...(hasPopovers() ? { popover: "manual" } : { "data-fixed": "" })} className={s.place}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  const { id, text, tone = "plain", duration, action, onClose } = toast;
  useEffect(() => {
    if (held || tone === "error" || duration === undefined) return;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [held, tone, duration, id]);
  return (
    <div
      className={s.toast}
      data-tone={tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      {action && (
        <Button
          kind="quiet"
          onClick={() => {
            dismissToast(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      {tone === "error" && (
        <IconButton
          icon="close"
          label={t.close}
          onClick={() => {
            dismissToast(id);
            onClose?.();
          }}
        />
      )}
    </div>
  );
}
