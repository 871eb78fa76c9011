import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Toaster } from "@marketday/ui/toaster.tsx";
import { type ReactNode, useEffect, useRef } from "react";

import { config } from "../../lib/boot.ts";
import { isFramed, useEscape } from "./host.ts";

import s from "./frame-page.module.css";

interface FramePageProps {
  title: string;
  about?: string | undefined;
  children: ReactNode;
}

/**
 * A page shown inside the app (docs/product.md §7 Frames): its h1, its content and its toasts. The way out is in the app's
 * bar; opened by its address the page shows the market's name, a link to the shop. `about`: which one of several, below the title.
 * However the frame is left, the app refetches what belongs to the shopper.
 */
export function FramePage({ title, about, children }: FramePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const focused = useRef("");
  useEffect(() => {
    document.title = [title, about, config.marketName].filter(Boolean).join(" · ");
    // Not once more when `about` arrives: by then something else may have the focus.
    if (focused.current === title) return;
    focused.current = title;
    heading.current?.focus({ preventScroll: true });
  }, [title, about]);
  useEscape(false);
  return (
    <main className={s.frame} aria-labelledby="frame-title">
      {!isFramed && (
        <a className={s.home} href="/shop" aria-label={`${config.marketName}, to the shop`}>
          <Icon name="wagon" size="lg" />
          {config.marketName}
        </a>
      )}
      <h1 id="frame-title" ref={heading} tabIndex={-1} className={s.title}>
        {title}
        {about && <small className={s.about}>{about}</small>}
      </h1>
      {children}
      <Toaster />
    </main>
  );
}
