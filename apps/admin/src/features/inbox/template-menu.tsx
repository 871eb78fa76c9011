import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { Button } from "@marketday/ui/button.tsx";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import * as t from "#messages/inbox";

import { type TemplatesQuery, TemplatesState } from "./templates-state.tsx";

import s from "./inbox.module.css";

const LIST = "inbox-template-list";

interface TemplateMenuProps {
  query: TemplatesQuery;
  onPick: (template: ReplyTemplate) => void;
}

/** A button that opens the templates; arrows walk through them, and Enter or a click inserts one. */
export function TemplateMenu({ query, onPick }: TemplateMenuProps) {
  const { data: templates } = query;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  const isThere = templates !== undefined;
  useEffect(() => {
    if (isOpen && isThere) list.current?.querySelector("button")?.focus();
  }, [isOpen, isThere]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      setOpen(false);
      button.current?.querySelector("button")?.focus();
    } else {
      // The keys of the screen do nothing here.
      event.nativeEvent.stopPropagation();
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const all = buttons();
      const at = all.indexOf(document.activeElement as HTMLButtonElement);
      all[(at + step + all.length) % all.length]?.focus();
    }
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <span
        ref={button}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isOpen) onKeyDown(event);
        }}
      >
        <Button
          kind="outline"
          aria-expanded={isOpen}
          aria-controls={isOpen ? LIST : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {t.pickTemplate}
        </Button>
      </span>
      {isOpen && <TemplatesState query={query} />}
      {isOpen && templates && templates.length > 0 && (
        // Its keys are those of the buttons in it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <ul ref={list} id={LIST} className={s.templateMenu} aria-label={t.templatesTitle} onKeyDown={onKeyDown}>
          {templates.map((template) => (
            <li key={template.id}>
              <Button
                kind="quiet"
                onClick={() => {
                  setOpen(false);
                  onPick(template);
                }}
              >
                {template.name}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
