import { whenIdle } from "./idle.ts";

/**
 * A ref for what its styles may let rest (`content-visibility` below `[data-rested]`): out of sight it costs no style,
 * layout or paint, so that a tap is answered as soon on a long page as on a short one. Only after a frame with the real
 * letters: by then the browser knows how large everything is (`contain-intrinsic-size: auto`), and nothing moves.
 */
export function restLater(element: HTMLElement | null): () => void {
  let frame = 0;
  let stop = () => {};
  let isGone = false;
  void document.fonts.ready.then(() => {
    if (isGone) return;
    frame = requestAnimationFrame(() => {
      stop = whenIdle(() => element?.setAttribute("data-rested", ""));
    });
  });
  return () => {
    isGone = true;
    cancelAnimationFrame(frame);
    stop();
  };
}
