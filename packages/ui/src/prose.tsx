import { useEffect, useEffectEvent, useRef } from "react";

import { cx } from "./cx.ts";

import s from "./prose.module.css";

interface ProseProps {
  /** Made of Markdown and sanitised by our server; nothing else may come in here. */
  html: string;
  /** An article: larger, with a drop cap. */
  article?: boolean;
  /** Goes to a page of ours. */
  onFollow: (path: string) => void;
}

/** Words to read, at most 65 characters wide. Links to our own pages are followed without a reload, others in a new tab. */
export function Prose({ html, article, onFollow }: ProseProps) {
  const box = useRef<HTMLDivElement>(null);
  const follow = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href");
    if (!link || !href || href.startsWith("#") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (href.startsWith("/")) {
      event.preventDefault();
      onFollow(href);
    }
    // A mail address opened inside a frame would be a page of the frame's.
    else link.target = href.startsWith("https:") ? "_blank" : "_top";
  });
  useEffect(() => {
    const words = box.current;
    const click = (event: MouseEvent) => follow(event);
    words?.addEventListener("click", click);
    return () => words?.removeEventListener("click", click);
  }, []);
  return (
    // oxlint-disable-next-line react/no-danger -- made of Markdown and sanitised by the server (failures H1)
    <div ref={box} className={cx(s.prose, article && s.article)} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
