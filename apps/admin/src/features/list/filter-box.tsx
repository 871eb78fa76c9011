import { useSettled } from "@marketday/client/use-settled.ts";
import { QUERY_MAX, type Token } from "@marketday/domain/list-query";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";

import * as t from "#messages/list";

import {
  beginToken,
  canonical,
  draftOf,
  type FilterDraft,
  type FilterTokens,
  finishText,
  fixedValues,
  isTokenName,
  namesFor,
  searchedQuery,
  takeToken,
  takeValue,
  typedPart,
  type TypedPart,
} from "./filter-text.ts";
import { chosenTitles, type NamedTokens, useTitles, valuesQuery } from "./token-titles.ts";

import s from "./filter-box.module.css";

export const FILTER_ID = "list-filter";
/** From the last key to the search, ms. */
const PAUSE_MS = 300;
/** From the last key to the suggestions of the server, ms. */
const SUGGEST_MS = 150;

/** What a list is filtered by, and its words. */
export interface FilterKind<Name extends string> extends FilterTokens<Name>, NamedTokens<Name> {
  /** "Filter the orders" */
  label: string;
  hint: string;
  hintShort: string;
  /** What a name is about: "a delivery day". */
  details: Readonly<Record<Name, string>>;
  /** "“eggs” in names and numbers" */
  searchWords: (text: string) => string;
  /** The value of a token in words. `titles`: names of what only the server knows, by `name:value`. */
  format: (token: Token<Name>, titles: ReadonlyMap<string, string>) => string;
}

interface Suggestion<Name extends string> {
  key: string;
  title: string;
  detail: string;
  does: { token: Token<Name> } | { name: Name } | { words: string };
}

interface FilterBoxProps<Name extends string> {
  kind: FilterKind<Name>;
  /** The filter of the address. */
  q: string;
  /** It has no room for a long hint. */
  isNarrow: boolean;
  /** Why the server refused it. */
  refusal: string | null;
  /** `isTyped`: words are being typed, it is no entry of the history for each of them. */
  onFilter: (q: string, isTyped: boolean) => void;
}

/** What may be meant by the part that is being typed. */
function useSuggestions<Name extends string>(
  kind: FilterKind<Name>,
  part: TypedPart | null,
  isOpen: boolean,
): Suggestion<Name>[] {
  const name = part?.kind === "value" ? part.name : "";
  const text = part?.text ?? "";
  const fixed = part?.kind === "value" ? fixedValues(kind, name, text) : null;
  const settled = useSettled(text, SUGGEST_MS);
  const isOfServer = isOpen && isTokenName(kind, name) && fixed === null;
  const { data } = useQuery({ ...valuesQuery(kind.list, kind.readValues, name, settled), enabled: isOfServer });
  if (!isOpen) return [];
  if (part?.kind === "value") {
    if (!isTokenName(kind, name)) return [];
    if (fixed)
      return fixed.map((value) => ({
        key: `${name}:${value}`,
        title: kind.format({ name, value }, chosenTitles),
        detail: `${name}:${value}`,
        does: { token: { name, value } },
      }));
    // The answer for another text is older.
    return (settled === text ? (data ?? []) : []).map(({ value, title, detail }) => ({
      key: `${name}:${value}`,
      title,
      detail,
      does: { token: { name, value } },
    }));
  }
  const names = namesFor(kind, text).map((one): Suggestion<Name> => ({
    key: one,
    title: `${one}:`,
    detail: kind.details[one],
    does: { name: one },
  }));
  return text === ""
    ? names
    : [...names, { key: "words", title: kind.searchWords(text), detail: "", does: { words: text } }];
}

/**
 * One field for the whole filter: tokens are chips, words search names, numbers, phones and emails. It searches once the keys rest; a
 * token while it is typed is not searched for. What is not understood stays as it was typed, with what is wrong below.
 */
export function FilterBox<Name extends string>({ kind, q, isNarrow, refusal, onFilter }: FilterBoxProps<Name>) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<FilterDraft<Name>>(() => draftOf(kind, q));
  const [sent, setSent] = useState(q);
  const [problem, setProblem] = useState<string | null>(
    () => finishText(kind, { chips: [], text: q }).problem?.message ?? null,
  );
  const [isOpen, setOpen] = useState(false);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  if (sent !== q) {
    // Another address: a view, a link, back and forward.
    setSent(q);
    setDraft(draftOf(kind, q));
    setProblem(finishText(kind, { chips: [], text: q }).problem?.message ?? null);
  }
  const part = typedPart(draft.text);
  const found = useSuggestions(kind, part, isOpen);
  const chosen = found.find(({ key }) => key === chosenKey);
  const titles = useTitles(kind, draft.chips);

  const send = (next: FilterDraft<Name>, isTyped: boolean) => {
    const query = searchedQuery(kind, next);
    if (query === canonical(kind, sent)) return;
    setSent(query);
    onFilter(query, isTyped);
  };
  const change = (next: FilterDraft<Name>) => {
    setDraft(next);
    setProblem(null);
    setChosenKey(null);
  };
  const searchTyped = useEffectEvent((typed: FilterDraft<Name>) => send(typed, true));
  useEffect(() => {
    const timer = setTimeout(() => searchTyped(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  const finish = () => {
    const { problem: wrong, ...next } = finishText(kind, draft);
    setDraft(next);
    setProblem(wrong?.message ?? null);
    setOpen(false);
    send(next, false);
  };
  const take = ({ does }: Suggestion<Name>) => {
    field.current?.focus();
    if ("name" in does) {
      change(beginToken(draft, does.name));
      return;
    }
    setOpen(false);
    if ("words" in does) {
      finish();
      return;
    }
    const next = takeValue(kind, draft, does.token);
    const title = found.find((one) => one.does === does)?.title;
    if (title !== undefined && kind.named.includes(does.token.name))
      chosenTitles.set(`${does.token.name}:${does.token.value}`, title);
    change(next);
    send(next, false);
  };
  const removeAt = (at: number) => {
    const next = { ...draft, chips: draft.chips.filter((_, place) => place !== at) };
    change(next);
    send(next, false);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const at = found.findIndex(({ key }) => key === chosenKey);
    if (event.key === "ArrowDown") {
      setOpen(true);
      setChosenKey((found[at + 1] ?? found[0])?.key ?? null);
    } else if (event.key === "ArrowUp") setChosenKey((at === -1 ? found.at(-1) : found.at(at - 1))?.key ?? null);
    else if (event.key === "Enter" && chosen) take(chosen);
    else if (event.key === "Enter") finish();
    else if (event.key === "Escape" && isOpen) {
      setOpen(false);
      setChosenKey(null);
    } else if (event.key === "Escape") field.current?.blur();
    else if (event.key === "Backspace" && draft.chips.length > 0 && isAtStart(event.currentTarget))
      removeAt(draft.chips.length - 1);
    else return;
    event.preventDefault();
  };
  const error = problem ?? refusal;
  const isShown = isOpen && found.length > 0;
  return (
    <div className={s.place} role="search">
      {/* A press beside the words is meant for the field. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className={s.box}
        data-invalid={error === null ? undefined : ""}
        onClick={({ target, currentTarget }) => {
          if (target === currentTarget) field.current?.focus();
        }}
      >
        <Icon name="filter" size="sm" />
        {draft.chips.length > 0 && (
          <ul className={s.chips}>
            {draft.chips.map((token, at) => {
              const value = kind.format(token, titles);
              return (
                <li key={`${token.name}:${token.value}`} className={s.chip}>
                  <span>{token.name}</span>
                  <b title={value}>{value}</b>
                  <button type="button" aria-label={t.removeToken(token.name, value)} onClick={() => removeAt(at)}>
                    <Icon name="close" size="sm" />
                  </button>
                </li>
              );
            })}
          </ul>
        )}
        <input
          ref={field}
          id={FILTER_ID}
          className={s.field}
          type="text"
          role="combobox"
          aria-label={kind.label}
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && isShown ? `${id}-${chosen.key}` : undefined}
          aria-autocomplete="list"
          aria-invalid={error === null ? undefined : true}
          aria-describedby={error === null ? undefined : `${id}-error`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={QUERY_MAX}
          placeholder={isNarrow || draft.chips.length > 1 ? kind.hintShort : kind.hint}
          value={draft.text}
          onChange={({ target }) => {
            setOpen(true);
            change(takeToken(kind, { ...draft, text: target.value }));
          }}
          onKeyDown={onKeyDown}
          onBlur={({ relatedTarget, currentTarget }) => {
            setOpen(false);
            if (!currentTarget.closest("[role=search]")?.contains(relatedTarget)) finish();
          }}
        />
        {(draft.chips.length > 0 || draft.text !== "") && (
          <button
            type="button"
            className={s.clear}
            aria-label={t.clearFilter}
            onClick={() => {
              const empty = { chips: [], text: "" };
              change(empty);
              send(empty, false);
              field.current?.focus();
            }}
          >
            <Icon name="close" size="sm" />
          </button>
        )}
      </div>
      <div id={`${id}-list`} className={s.list} role="listbox" aria-label={t.suggestions} hidden={!isShown}>
        {isShown &&
          found.map((suggestion) => (
            // The field has the focus and the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={suggestion.key}
              id={`${id}-${suggestion.key}`}
              className={s.option}
              role="option"
              tabIndex={-1}
              aria-selected={suggestion === chosen}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setChosenKey(suggestion.key)}
              onClick={() => take(suggestion)}
            >
              <b>{suggestion.title}</b>
              <small>{suggestion.detail}</small>
            </div>
          ))}
      </div>
      {error !== null && (
        <p id={`${id}-error`} className={s.error} role="alert">
          <Icon name="warn" size="sm" />
          <span>{error}</span>
        </p>
      )}
      <VisuallyHidden>
        <span role="status">{isOpen ? t.suggestionCount(found.length) : ""}</span>
      </VisuallyHidden>
    </div>
  );
}

const isAtStart = ({ selectionStart, selectionEnd }: HTMLInputElement): boolean =>
  selectionStart === 0 && selectionEnd === 0;
