import { Banner } from "@marketday/ui/banner.tsx";
import { type ReactNode, useEffect, useRef } from "react";

/** Why the last action failed: under the form, read at once, and it takes the focus. */
export function AlertBox({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} role="alert" tabIndex={-1}>
      <Banner tone="error">{children}</Banner>
    </div>
  );
}
