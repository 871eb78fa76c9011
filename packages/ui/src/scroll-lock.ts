let locks = 0;

/** Keeps the page behind a modal layer where it is. Returns what lifts this lock; layers may lie on each other. */
export function lockScroll(): () => void {
  const root = document.documentElement;
  // Where a scrollbar takes room, its place stays empty, so that nothing moves sideways.
  if (locks === 0) root.classList.toggle("lock-gutter", innerWidth > root.clientWidth);
  locks += 1;
  root.classList.add("lock");
  return () => {
    locks -= 1;
    if (locks === 0) root.classList.remove("lock", "lock-gutter");
  };
}
