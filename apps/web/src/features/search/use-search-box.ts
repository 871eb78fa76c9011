import { useIsDesktop } from "@marketday/client/use-media.ts";
import { useSettled } from "@marketday/client/use-settled.ts";
import { SEARCH_DEBOUNCE_MS, SUGGESTIONS_MAX } from "@marketday/domain/limits";
import { announce } from "@marketday/ui/live-region.tsx";
import { type KeyboardEvent, useEffect, useMemo, useState } from "react";

import { useSuggestions } from "./api.ts";
import { type Option, recentOptions, suggestionOptions } from "./options.ts";
import { forgetSearches, recentMode, recentSearches, rememberMode, rememberSearch } from "./recent.ts";
import { cleanTerm, isLongEnough, type SearchMode } from "./term.ts";

/** How many suggestions a phone has room for. */
const ROOM_ON_PHONE = 6;

interface SearchBoxInput {
  /** What the page shows already. */
  shown: string;
  shownMode: SearchMode | null;
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  /** Goes to a page or an overlay. */
  onGo: (to: string) => void;
}

/**
 * The combobox of the search: text, mode, the list's options and which of them is active, and its keys (the ARIA
 * pattern with a list: arrows walk, Enter takes, the typed text is never changed by walking).
 */
export function useSearchBox({ shown, shownMode, isOpen, setOpen, onGo }: SearchBoxInput) {
  const isDesktop = useIsDesktop();
  const [text, setText] = useState(shown);
  const [mode, setMode] = useState<SearchMode>(() => shownMode ?? recentMode());
  // The option itself, not its place: a list that arrives later must not put another one under the highlight.
  const [active, setActive] = useState<string | null>(null);
  const [recent, setRecent] = useState(recentSearches);
  // `searched`: what was searched for from here. Its results may arrive late, when the field has the next search.
  const [before, setBefore] = useState({ shown, shownMode, searched: "" });
  if (before.shown !== shown || before.shownMode !== shownMode) {
    setBefore({ shown, shownMode, searched: "" });
    if (!shown || shown !== before.searched) setText(shown);
    if (shownMode) setMode(shownMode);
  }

  const term = cleanTerm(text);
  const settled = useSettled(term, SEARCH_DEBOUNCE_MS);
  const isReady = isLongEnough(term);
  const { data, error, isFetching, isPlaceholderData, refetch } = useSuggestions(
    mode,
    isOpen && isReady ? settled : "",
  );
  const room = isDesktop ? SUGGESTIONS_MAX : ROOM_ON_PHONE;
  const isWaiting = isReady && (isFetching || isPlaceholderData || settled !== term);
  const options = useMemo<Option[]>(() => {
    if (term === "") return recentOptions(recent, mode);
    return isReady ? suggestionOptions(error ? [] : (data ?? []), { term, mode, room }) : [];
  }, [term, recent, mode, isReady, data, error, room]);
  const at = options.findIndex(({ key }) => key === active);

  const found = isOpen && isReady && !isWaiting && !error && data ? Math.min(data.length, room) : null;
  // The same number for another term is news as well.
  useEffect(() => {
    const noun = mode === "vendors" ? "vendor" : "suggestion";
    if (found !== null) announce(`${found === 0 ? "No" : found} ${noun}${found === 1 ? "" : "s"} for ${settled}`);
  }, [found, settled, mode]);

  const leave = (to: string, remembered: string) => {
    rememberSearch(remembered);
    setRecent(recentSearches());
    setOpen(false);
    setActive(null);
    onGo(to);
  };
  const choose = (option: Option) => {
    if (option.kind !== "suggestion") setText(option.label);
    leave(option.to, option.label);
  };

  return {
    text,
    term,
    mode,
    isReady,
    isWaiting,
    error,
    options,
    active: at,
    hasSuggestions: (data?.length ?? 0) > 0,
    retry: () => void refetch(),
    choose,
    type: (value: string) => {
      setText(value);
      setActive(null);
      setOpen(true);
    },
    setMode: (next: SearchMode) => {
      setMode(next);
      rememberMode(next);
      setActive(null);
    },
    clearRecent: () => {
      forgetSearches();
      setRecent([]);
      setActive(null);
    },
    /** Enter without an active option; under three characters the list says what is missing. */
    submit: (toSearch: (term: string, mode: SearchMode) => string) => {
      const option = options[at];
      if (option) choose(option);
      else if (isReady) {
        setBefore({ ...before, searched: term });
        leave(toSearch(term, mode), term);
      } else setOpen(true);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const last = options.length - 1;
      const steps: Record<string, number> = { ArrowDown: at >= last ? -1 : at + 1, ArrowUp: at < 0 ? last : at - 1 };
      const step = steps[event.key];
      if (step !== undefined) {
        event.preventDefault();
        if (isOpen) setActive(options[step]?.key ?? null);
        else setOpen(true);
      } else if (event.key === "Escape" && isOpen) {
        setActive(null);
        setOpen(false);
      }
    },
  };
}

export type SearchBoxState = ReturnType<typeof useSearchBox>;
