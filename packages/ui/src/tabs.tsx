import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef } from "react";

import s from "./tabs.module.css";

interface Tab<Id extends string> {
  id: Id;
  label: ReactNode;
  panel: ReactNode;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: Tab<Id>[];
  current: Id;
  onChange: (id: Id) => void;
  /** The panel fills what is left of the height and scrolls inside. */
  fill?: boolean;
}

/** ARIA tabs with automatic activation: arrows, Home and End move and show, Tab goes into the panel. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, fill }: TabsProps<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    tabs.findIndex((tab) => tab.id === current),
    0,
  );

  const show = (index: number) => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (!tab) return;
    onChange(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(step);
  };

  return (
    <div className={s.tabs} data-fill={fill ? "" : undefined}>
      <div ref={list} role="tablist" tabIndex={-1} aria-label={label} className={s.list} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            id={`${base}-${tab.id}`}
            aria-selected={index === at}
            aria-controls={index === at ? `${base}-panel` : undefined}
            tabIndex={index === at ? 0 : -1}
            className={s.tab}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${tabs[at]?.id}`} className={s.panel}>
        {/* A tab keeps nothing of the one before, its error least of all. */}
        <Fragment key={tabs[at]?.id}>{tabs[at]?.panel}</Fragment>
      </div>
    </div>
  );
}
