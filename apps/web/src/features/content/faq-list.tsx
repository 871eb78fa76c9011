import type { FaqEntry } from "@marketday/contracts/content";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { Prose } from "@marketday/ui/prose.tsx";
import { SearchInput } from "@marketday/ui/text-input.tsx";
import { useEffect, useRef, useState } from "react";

import { findAnswers } from "./find-answers.ts";

import s from "./faq-list.module.css";

interface FaqListProps {
  entries: readonly FaqEntry[];
  /** What the address names: "#what-does-delivery-cost". That entry is open, and in sight. */
  hash: string;
  onFollow: (path: string) => void;
  /** The search that found nothing, for the contact form. */
  onMissing: (search: string) => void;
}

/** The entry an address names; "" for one that is no valid text ("#100%"). */
function entryOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

/** Questions that open to their answers, and a search that filters them and opens what it found (spec §2.1 /faq). */
export function FaqList({ entries, hash, onFollow, onMissing }: FaqListProps) {
  const [search, setSearch] = useState("");
  const found = findAnswers(entries, search);
  const searching = search.trim() !== "";
  const named = entryOf(hash);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const entry = named ? list.current?.querySelector<HTMLDetailsElement>(`#${CSS.escape(named)}`) : null;
    if (!entry) return;
    entry.open = true;
    entry.scrollIntoView({ block: "start" });
    entry.querySelector("summary")?.focus({ preventScroll: true });
  }, [named, entries]);

  const count = found.length;
  useEffect(() => {
    if (!searching) return;
    const timer = setTimeout(() => {
      announce(count === 1 ? "1 answer" : `${count} answers`);
      if (count === 0) onMissing(search.trim());
    }, 600);
    return () => clearTimeout(timer);
    // The missing search is reported after typing stops, not when the callback changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [search, searching, count]);

  return (
    <div className={s.faq}>
      <search>
        <Field label="Search the answers">
          <SearchInput
            maxLength={100}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onClear={() => setSearch("")}
          />
        </Field>
      </search>
      <div ref={list} className={s.list}>
        {found.map(({ id, slug, question, answer }) => (
          <details
            key={`${id}-${searching && count <= 3 ? "found" : ""}`}
            id={slug}
            className={s.entry}
            open={searching && count <= 3}
          >
            <summary className={s.question}>
              {question}
              <Icon name="down" />
            </summary>
            <div className={s.answer}>
              <Prose html={answer} onFollow={onFollow} />
              <a className={s.deep} href={`#${slug}`}>
                <Icon name="link" size="sm" />
                Link to this answer
              </a>
            </div>
          </details>
        ))}
      </div>
      {count === 0 && (
        <EmptyState
          icon="help"
          title="No answer for that."
          action={
            <a className={s.ask} href="#contact">
              Ask us
            </a>
          }
        >
          Someone here will know.
        </EmptyState>
      )}
    </div>
  );
}
