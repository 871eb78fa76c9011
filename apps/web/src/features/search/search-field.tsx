import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import { useId, useRef, useState } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { SearchInput } from "./search-input.tsx";
import { useSearchBox } from "./use-search-box.ts";
import { useShownSearch } from "./use-shown-search.ts";

import s from "./search-field.module.css";

const SearchList = lazyWithRetry(() => import("./search-list.tsx"));

/** The field in the header of a desktop, with what was searched before and what a term may become below it. */
export default function SearchField() {
  const { open } = useNavigation();
  const shown = useShownSearch();
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const box = useSearchBox({ ...shown, isOpen, setOpen, onGo: (to) => open(to, id) });
  // While it is being typed; a word left in the field is nothing to lose.
  useUnsaved(isOpen && box.text !== "");
  const listId = `${id}-list`;
  return (
    <div
      className={s.field}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <SearchInput box={box} id={id} listId={listId} isOpen={isOpen} onOpen={() => setOpen(true)} input={input} />
      {isOpen && (
        // The field keeps the focus while the pointer is in the list; its controls are reached by Tab.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <div className={s.popover} onMouseDown={(event) => event.preventDefault()}>
          <AsyncBoundary>
            <SearchList box={box} listId={listId} />
          </AsyncBoundary>
        </div>
      )}
    </div>
  );
}
