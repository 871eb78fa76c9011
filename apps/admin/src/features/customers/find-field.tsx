import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { SearchInput } from "@marketday/ui/text-input.tsx";
import { useEffect, useEffectEvent, useState } from "react";

import * as t from "#messages/customers";

import s from "./customers.module.css";

export const FIND_ID = "find-customer";
/** From the last key to the search, ms. */
const PAUSE_MS = 300;

interface FindFieldProps {
  /** What is searched now: another one from the address replaces what is typed. */
  text: string;
  onFind: (text: string) => void;
  /** Arrow down goes on to the list. */
  onLeave: () => void;
}

/** Looks for people by a text, a moment after the last key or at once with Enter. */
export function FindField({ text, onFind, onLeave }: FindFieldProps) {
  const [typed, setTyped] = useState(text);
  const [searched, setSearched] = useState(text);
  if (searched !== text) {
    setSearched(text);
    setTyped(text);
  }
  const find = (next: string) => {
    if (next === searched) return;
    setSearched(next);
    onFind(next);
  };
  const findTyped = useEffectEvent(() => find(typed));
  useEffect(() => {
    if (typed === searched) return;
    const timer = setTimeout(() => findTyped(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, searched]);
  return (
    <div className={s.find} role="search">
      <Compact>
        <Field label={t.find} labelHidden id={FIND_ID}>
          <SearchInput
            value={typed}
            placeholder={t.findHint}
            maxLength={200}
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === "Enter") find(typed);
              else if (event.key === "ArrowDown") {
                event.preventDefault();
                onLeave();
              }
            }}
            onClear={() => {
              setTyped("");
              find("");
            }}
          />
        </Field>
      </Compact>
    </div>
  );
}
