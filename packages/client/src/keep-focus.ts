/**
 * Keeps the focus off `body`: when the focused element is removed and nothing else has taken the focus
 * by the next frame, the closest ancestor that is left takes it, so that Tab and screen readers go on from there.
 */
export function keepFocus(): void {
  let path: HTMLElement[] = [];
  let frame = 0;
  const isLost = () => path.length > 0 && !path[0]?.isConnected && document.activeElement === document.body;
  document.addEventListener("focusin", (event) => {
    path = event
      .composedPath()
      .filter((node) => node instanceof HTMLElement && node !== document.body) as HTMLElement[];
  });
  const recover = () => {
    frame = 0;
    if (!isLost()) return;
    const ancestor = path.find((element) => element.isConnected && element.id !== "root");
    const target = ancestor ?? document.querySelector<HTMLElement>("h1, main");
    if (!target) return;
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    if (isLost()) frame ||= requestAnimationFrame(recover);
  }).observe(document.body, { childList: true, subtree: true });
}
