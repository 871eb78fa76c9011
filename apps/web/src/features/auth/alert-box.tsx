import { Banner } from "@marketday/ui/banner.tsx";
import { type ReactNode, useEffect, useRef } from "react";

interface AlertBoxProps {
  tone?: "error" | "warning";
  title?: string;
  children: ReactNode;
}

/** What the shopper's last action was answered with: red, under the form, read at once, and it takes the focus. */
export function AlertBox({ tone = "error", title, children }: AlertBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} role="alert" tabIndex={-1}>
      <Banner tone={tone} title={title}>
        {children}
      </Banner>
    </div>
  );
}
