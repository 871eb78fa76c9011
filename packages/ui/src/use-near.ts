import { type RefObject, useEffect, useState } from "react";

/** How far outside of the view something counts as near. */
const MARGIN = "400px";

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | null = null;

function watch(element: Element, onNear: () => void): () => void {
  // `scrollMargin` is the same distance inside of a dialog that scrolls; where it is unknown, it is none.
  const options: IntersectionObserverInit & { scrollMargin: string } = { rootMargin: MARGIN, scrollMargin: MARGIN };
  observer ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
  }, options);
  waiting.set(element, onNear);
  observer.observe(element);
  return () => {
    waiting.delete(element);
    observer?.unobserve(element);
  };
}

/**
 * True from the moment the element is about to come into view. The browser's own `loading="lazy"` fetches up to three
 * screens ahead, which on a phone is most of the page's weight.
 */
export function useNear(element: RefObject<Element | null>, already: boolean): boolean {
  const [near, setNear] = useState(already);
  useEffect(() => {
    if (near || !element.current) return;
    return watch(element.current, () => setNear(true));
  }, [near, element]);
  return near || already;
}
