import { hasPopovers } from "./has-popovers.ts";

/**
 * Shows a dialog's frame at once and makes it modal after that frame is painted. Making it modal makes the page behind
 * inert, which restyles all of it: on a slow phone that is longer than a tap may wait for its answer. Until then it is a
 * popover: above everything too, and no work for the page. A key or a pointer that comes first ends the wait.
 *
 * @returns what stops it, if it is still under way
 */
export function openDialog(dialog: HTMLDialogElement, makeModal: () => void): () => void {
  let frame = 0;
  const { port1, port2 } = new MessageChannel();
  const stop = () => {
    cancelAnimationFrame(frame);
    port1.close();
    for (const kind of signs) removeEventListener(kind, finish, true);
    // It hides the popover as well.
    if (hasPopovers()) dialog.popover = null;
  };
  const finish = () => {
    stop();
    makeModal();
  };
  // A page that is not seen is not painted.
  if (dialog.open || document.hidden || !hasPopovers()) {
    finish();
    return () => {};
  }
  dialog.popover = "manual";
  dialog.showPopover();
  for (const kind of signs) addEventListener(kind, finish, true);
  // A message that is posted in the frame's callbacks arrives after the frame was painted.
  port1.addEventListener("message", finish);
  port1.start();
  frame = requestAnimationFrame(() => port2.postMessage(null));
  return stop;
}

const signs = ["keydown", "pointerdown"] as const;
