import { whenIdle } from "./idle.ts";

/**
 * A ref for an element whose off-screen parts skip rendering (`content-visibility` below `[data-offscreen]`): off screen they cost no style,
 * layout or paint, so that a long page responds to a tap as fast as a short one. Only after a frame with the web
 * fonts: then the browser knows the size of everything (`contain-intrinsic-size: auto`), and nothing moves.
 */
export function skipOffscreenRendering(element: HTMLElement | null): () => void {
  let isGone = false;
  let stop = () => {};
  const begin = () =>
    void document.fonts.ready.then(() => {
      if (isGone) return;
      const frame = requestAnimationFrame(() => {
        stop = whenIdle(() => element?.setAttribute("data-offscreen", ""));
      });
      stop = () => cancelAnimationFrame(frame);
    });
  // Not while React puts elements into the page: asking for the fonts lays out all of it at once.
  const frame = requestAnimationFrame(() => {
    stop = whenIdle(begin);
  });
  stop = () => cancelAnimationFrame(frame);
  return () => {
    isGone = true;
    stop();
  };
}
