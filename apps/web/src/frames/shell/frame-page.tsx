import { Toaster } from "@marketday/ui/toaster.tsx";
import { type ReactNode, useEffect, useRef } from "react";

import { config } from "../../lib/boot.ts";
import { isFramed, useEscape } from "./host.ts";

import s from "./frame-page.module.css";

/**
 * A page shown inside the app (docs/product.md §7 Frames): its h1, its content and its toasts. The way out is in the app's
 * bar; opened by its address the page shows a link. `changed`: the app's data about the shopper is stale.
 */
export function FramePage({ title, changed, children }: { title: string; changed: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${config.marketName}`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  useEscape(changed);
  return (
    <main className={s.frame} aria-labelledby="frame-title">
      {!isFramed && (
        <a className={s.home} href="/shop">
          ← {config.marketName}
        </a>
      )}
      <h1 id="frame-title" ref={heading} tabIndex={-1} className={s.title}>
        {title}
      </h1>
      {children}
      <Toaster />
    </main>
  );
}
