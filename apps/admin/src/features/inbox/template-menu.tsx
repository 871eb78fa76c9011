import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { Button } from "@marketday/ui/button.tsx";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import * as t from "#messages/inbox";

import s from "./inbox.module.css";

const LIST = "inbox-template-list";

interface TemplateMenuProps {
  templates: readonly ReplyTemplate[];
  onPick: (template: ReplyTemplate) => void;
}

/** A button that opens the templates; arrows walk through them, and Enter or a click inserts one. */
export function TemplateMenu({ templates, onPick }: TemplateMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  useEffect(() => {
    if (isOpen) list.current?.querySelector("button")?.focus();
  }, [isOpen]);
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
      <span ref={button}>
        <Button
          kind="outline"
          aria-expanded={isOpen}
          aria-controls={isOpen ? LIST : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {t.pickTemplate}
        </Button>
      </span>
      {isOpen && templates.length === 0 && <p className={s.quiet}>{t.noTemplates}</p>}
      {isOpen && templates.length > 0 && (
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
