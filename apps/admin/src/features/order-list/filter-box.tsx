import { useSettled } from "@marketday/client/use-settled.ts";
import { ORDER_QUERY_MAX, type OrderToken, type OrderTokenName } from "@marketday/domain/order-query";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";

import * as t from "#messages/order-list";

import { suggestionsQuery } from "./api.ts";
import {
  beginToken,
  draftOf,
  type FilterDraft,
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
import { formatToken } from "./format.ts";
import { canonical } from "./list-address.ts";
import { chosenTitles, NAMED, useTitles } from "./token-titles.ts";

import s from "./filter-box.module.css";

export const FILTER_ID = "order-filter";
/** From the last key to the search, ms. */
const PAUSE_MS = 300;
/** From the last key to the suggestions of the server, ms. */
const SUGGEST_MS = 150;

interface Suggestion {
  key: string;
  title: string;
  detail: string;
  does: { token: OrderToken } | { name: OrderTokenName } | { words: string };
}

interface FilterBoxProps {
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
function useSuggestions(part: TypedPart | null, isOpen: boolean): Suggestion[] {
  const name = part?.kind === "value" ? part.name : "";
  const text = part?.text ?? "";
  const fixed = part?.kind === "value" ? fixedValues(name, text) : null;
  const settled = useSettled(text, SUGGEST_MS);
  const isOfServer = isOpen && isTokenName(name) && fixed === null;
  const { data } = useQuery({ ...suggestionsQuery(name, settled), enabled: isOfServer });
  if (!isOpen) return [];
  if (part?.kind === "value") {
    if (!isTokenName(name)) return [];
    if (fixed)
      return fixed.map((value) => ({
        key: `${name}:${value}`,
        title: formatToken({ name, value }, chosenTitles),
        detail: `${t.tokenName(name)}${value}`,
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
  const names = namesFor(text).map((one): Suggestion => ({
    key: one,
    title: t.tokenName(one),
    detail: t.tokenDetails[one],
    does: { name: one },
  }));
  return text === ""
    ? names
    : [...names, { key: "words", title: t.searchWords(text), detail: "", does: { words: text } }];
}

/**
 * One field for the whole filter: tokens are chips, words search names, numbers, phones and emails. It searches once the keys rest; a
 * token while it is typed is not searched for. What is not understood stays as it was typed, with what is wrong below.
 */
export function FilterBox({ q, isNarrow, refusal, onFilter }: FilterBoxProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<FilterDraft>(() => draftOf(q));
  const [sent, setSent] = useState(q);
  const [problem, setProblem] = useState<string | null>(
    () => finishText({ chips: [], text: q }).problem?.message ?? null,
  );
  const [isOpen, setOpen] = useState(false);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  if (sent !== q) {
    // Another address: a view, a link, back and forward.
    setSent(q);
    setDraft(draftOf(q));
    setProblem(finishText({ chips: [], text: q }).problem?.message ?? null);
  }
  const part = typedPart(draft.text);
  const found = useSuggestions(part, isOpen);
  const chosen = found.find(({ key }) => key === chosenKey);
  const titles = useTitles(draft.chips);

  const send = (next: FilterDraft, isTyped: boolean) => {
    const query = searchedQuery(next);
    if (query === canonical(sent)) return;
    setSent(query);
    onFilter(query, isTyped);
  };
  const change = (next: FilterDraft) => {
    setDraft(next);
    setProblem(null);
    setChosenKey(null);
  };
  const searchTyped = useEffectEvent((typed: FilterDraft) => send(typed, true));
  useEffect(() => {
    const timer = setTimeout(() => searchTyped(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  const finish = () => {
    const { problem: wrong, ...next } = finishText(draft);
    setDraft(next);
    setProblem(wrong?.message ?? null);
    setOpen(false);
    send(next, false);
  };
  const take = ({ does }: Suggestion) => {
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
    const next = takeValue(draft, does.token);
    const title = found.find((one) => one.does === does)?.title;
    if (title !== undefined && NAMED.includes(does.token.name))
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
              const value = formatToken(token, titles);
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
          aria-label={t.filter}
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
          maxLength={ORDER_QUERY_MAX}
          placeholder={isNarrow || draft.chips.length > 1 ? t.filterHintShort : t.filterHint}
          value={draft.text}
          onChange={({ target }) => {
            setOpen(true);
            change(takeToken({ ...draft, text: target.value }));
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
