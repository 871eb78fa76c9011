import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { SearchInput } from "@marketday/ui/text-input.tsx";
import { useEffect, useEffectEvent, useState } from "react";

import * as t from "#messages/orders";

import s from "./orders.module.css";

/** From the last key to the search, ms. */
const PAUSE_MS = 200;

/** Searches the list of a day for a text. `text`: what is searched now; another one from the address replaces what is typed. */
export function FindBox({ text, onFind }: { text: string; onFind: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [searched, setSearched] = useState(text);
  if (searched !== text) {
    setSearched(text);
    setTyped(text);
  }
  const find = (next: string) => {
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
        <Field label={t.find} labelHidden id="find-box">
          <SearchInput
            value={typed}
            placeholder={t.findHint}
            maxLength={80}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") find(typed);
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
