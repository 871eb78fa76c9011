import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import type { RefObject } from "react";

import { paths } from "../../navigation/paths.ts";
import type { SearchBoxState } from "./use-search-box.ts";

import s from "./search-input.module.css";

interface SearchInputProps {
  box: SearchBoxState;
  id: string;
  listId: string;
  isOpen: boolean;
  onOpen: () => void;
  input: RefObject<HTMLInputElement | null>;
  /** Takes the focus when its dialog opens. */
  autofocus?: boolean;
}

/** The field itself: a combobox whose list lies below it. */
export function SearchInput({ box, id, listId, isOpen, onOpen, input, autofocus }: SearchInputProps) {
  const { text, options, active, submit, type, onKeyDown } = box;
  const hasList = isOpen && options.length > 0;
  return (
    <form
      role="search"
      className={s.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit(paths.search);
      }}
    >
      <Icon name="find" />
      <input
        ref={input}
        id={id}
        className={s.input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Search tomatoes, bread, farms…"
        aria-label="Search the market"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={hasList}
        aria-controls={hasList ? listId : undefined}
        aria-activedescendant={hasList && active >= 0 ? `${listId}-${active}` : undefined}
        data-autofocus={autofocus ? "" : undefined}
        value={text}
        onChange={(event) => type(event.target.value)}
        onClick={onOpen}
        onKeyDown={onKeyDown}
      />
      {text !== "" && (
        <IconButton
          icon="close"
          label="Clear the search"
          onClick={() => {
            type("");
            input.current?.focus();
          }}
        />
      )}
    </form>
  );
}
