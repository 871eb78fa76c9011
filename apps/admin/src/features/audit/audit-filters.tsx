import { useIsDesktop } from "@marketday/client/use-media.ts";
import { AUDIT_KINDS, AUDIT_THINGS } from "@marketday/domain/audit";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { SearchInput, Select, TextInput } from "@marketday/ui/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import * as t from "#messages/audit";

import { choicesQuery } from "./api.ts";
import { type Filter, isFiltered, type ThingKind, thingFrom, thingOf, wordsFrom } from "./filter.ts";
import { actionName } from "./words.ts";

import s from "./audit.module.css";

/** From the last key to the search, ms. */
const PAUSE_MS = 400;

interface AuditFiltersProps {
  filter: Filter;
  onChange: (change: { [P in keyof Filter]?: string | null }) => void;
  /** The address without a filter. */
  clearPath: string;
}

/** Beside or above the list; on a phone they open above it. */
export function AuditFilters(props: AuditFiltersProps) {
  const isDesktop = useIsDesktop();
  if (isDesktop) return <FilterForm {...props} />;
  return (
    <details className={s.more} open={isFiltered(props.filter) || undefined}>
      <summary>{t.filters}</summary>
      <FilterForm {...props} />
    </details>
  );
}

/** Who, what, to what, when, and words; each is in the address as soon as it is chosen. */
function FilterForm({ filter, onChange, clearPath }: AuditFiltersProps) {
  const { data: choices } = useQuery(choicesQuery);
  const actions = [...new Set([...(choices?.actions ?? []), ...(filter.action === undefined ? [] : [filter.action])])]
    .map((action) => ({ action, name: actionName(action) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const people = choices?.people ?? [];
  const isKind = AUDIT_KINDS.some((kind) => kind === filter.who);
  const isListed = filter.who === undefined || isKind || people.some(({ ref }) => ref === filter.who);
  return (
    <form className={s.filters} role="search" aria-label={t.filters} onSubmit={(event) => event.preventDefault()}>
      <Compact>
        <Field label={t.who}>
          <Select value={filter.who ?? ""} onChange={({ target }) => onChange({ who: target.value })}>
            <option value="">{t.anyone}</option>
            <optgroup label={t.groupKinds}>
              {AUDIT_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t.kinds[kind]}
                </option>
              ))}
            </optgroup>
            <optgroup label={t.groupPeople}>
              {!isListed && <option value={filter.who}>{filter.who}</option>}
              {people.map(({ ref, name }) => (
                <option key={ref} value={ref}>
                  {ref.startsWith("operator:") ? t.atCommandLine(name) : name}
                </option>
              ))}
            </optgroup>
          </Select>
        </Field>
        <Field label={t.what}>
          <Select value={filter.action ?? ""} onChange={({ target }) => onChange({ action: target.value })}>
            <option value="">{t.anyAction}</option>
            {actions.map(({ action, name }) => (
              <option key={action} value={action}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <ThingField thing={filter.thing} onChange={(thing) => onChange({ thing })} />
        <Field label={t.from}>
          <TextInput
            type="date"
            value={filter.from ?? ""}
            max={filter.to}
            onChange={({ target }) => onChange({ from: target.value })}
          />
        </Field>
        <Field label={t.until}>
          <TextInput
            type="date"
            value={filter.to ?? ""}
            min={filter.from}
            onChange={({ target }) => onChange({ to: target.value })}
          />
        </Field>
        <WordsField words={filter.q ?? ""} onChange={(q) => onChange({ q })} />
      </Compact>
      {isFiltered(filter) && (
        <p className={s.clear}>
          {filter.change !== undefined && <span>{t.ofOneChange}</span>}
          <Link to={clearPath} replace className={s.link}>
            {t.clear}
          </Link>
        </p>
      )}
    </form>
  );
}

/**
 * Calls with what was typed after a pause, or at once with Enter, as `clean` makes it; null is not searched for. Another value from the
 * address replaces what is typed, the one that came from typing does not.
 */
function useTyped(value: string, clean: (typed: string) => string | null, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (value !== sent) {
      setSent(value);
      setTyped(value);
    }
  }
  const apply = (next: string) => {
    const cleaned = clean(next);
    if (cleaned === null || cleaned === sent) return;
    setSent(cleaned);
    onChange(cleaned);
  };
  const applyTyped = useEffectEvent((text: string) => apply(text));
  useEffect(() => {
    const timer = setTimeout(() => applyTyped(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, setTyped, apply };
}

/** Words of at least three letters: fewer are in no index. */
function WordsField({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  const { typed, setTyped, apply } = useTyped(words, wordsFrom, onChange);
  return (
    <Field label={t.words} id="audit-words" error={wordsFrom(typed) === null ? t.tooShort : null}>
      <SearchInput
        value={typed}
        maxLength={200}
        placeholder={t.wordsHint}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter") apply(typed);
        }}
        onClear={() => {
          setTyped("");
          apply("");
        }}
      />
    </Field>
  );
}

function ThingField({ thing, onChange }: { thing: string | undefined; onChange: (thing: string) => void }) {
  const filtered = thingOf(thing);
  // A kind alone is no filter: it is kept here until something is typed.
  const [kind, setKind] = useState<ThingKind | "">(filtered.kind);
  const [known, setKnown] = useState(thing);
  if (known !== thing) {
    setKnown(thing);
    if (thing !== undefined || known !== undefined) setKind(filtered.kind === "" ? kind : filtered.kind);
  }
  const { typed, setTyped, apply } = useTyped(
    filtered.id,
    (text) => thingOf(thingFrom(kind, text)).id,
    (id) => onChange(thingFrom(kind, id)),
  );
  return (
    <>
      <Field label={t.about}>
        <Select
          value={kind}
          onChange={({ target }) => {
            const next = AUDIT_THINGS.find((each) => each === target.value) ?? "";
            setKind(next);
            setTyped("");
            if (thing !== undefined) onChange("");
          }}
        >
          <option value="">{t.anything}</option>
          {AUDIT_THINGS.map((each) => (
            <option key={each} value={each}>
              {t.things[each]}
            </option>
          ))}
        </Select>
      </Field>
      {kind !== "" && (
        <Field label={t.thingHints[kind]}>
          <TextInput
            value={typed}
            maxLength={150}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={({ key }) => {
              if (key === "Enter") apply(typed);
            }}
          />
        </Field>
      )}
    </>
  );
}
