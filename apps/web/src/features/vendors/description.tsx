import { useIsDesktop } from "@marketday/client/use-media.ts";
import { plainText } from "@marketday/domain/html-text";
import { DESCRIPTION_MORE_DESKTOP, DESCRIPTION_MORE_MOBILE } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { RichText } from "@marketday/ui/rich-text.tsx";
import { useId, useMemo, useState } from "react";

import { excerptOf } from "./excerpt.ts";

import s from "./description.module.css";

/** What a stall says of itself: the beginning, and the rest after "View More" (spec §9: 80 characters, 140 on a desktop). */
export function Description({ html }: { html: string }) {
  const max = useIsDesktop() ? DESCRIPTION_MORE_DESKTOP : DESCRIPTION_MORE_MOBILE;
  const [open, setOpen] = useState(false);
  const excerpt = useMemo(() => excerptOf(plainText(html), max), [html, max]);
  const id = useId();
  if (html.trim() === "") return null;
  return (
    <div className={s.description}>
      {excerpt === null || open ? (
        <RichText id={id} html={html} />
      ) : (
        <p id={id} className={s.words}>
          {excerpt}
        </p>
      )}
      {excerpt !== null && (
        <Button kind="link" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? "View Less" : "View More"}
        </Button>
      )}
    </div>
  );
}
