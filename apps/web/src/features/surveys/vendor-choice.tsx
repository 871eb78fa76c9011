import { useSettled } from "@marketday/client/use-settled.ts";
import * as calls from "@marketday/contracts/calls";
import { SEARCH_DEBOUNCE_MS, VENDOR_SEARCH_MAX_ROWS, VENDOR_SEARCH_MIN } from "@marketday/domain/limits";
import { Field } from "@marketday/ui/field.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { SearchInput } from "@marketday/ui/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";

import s from "./survey.module.css";

interface VendorChoiceProps {
  /** Those of the order: shown until something else is looked for. */
  offered: { id: number; name: string }[];
  value: number | null;
  onChange: (id: number) => void;
}

/** Which farmer or vendor: one of the order's, or any found from two characters on, with its state (spec §5). */
export function VendorChoice({ offered, value, onChange }: VendorChoiceProps) {
  const [typed, setTyped] = useState("");
  const place = useRef<HTMLDivElement>(null);
  // It opens below ten rows: brought into sight, while the focus stays on the row that was chosen.
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    place.current?.scrollIntoView({ block: "center" });
  }, []);
  const term = useSettled(typed.trim(), SEARCH_DEBOUNCE_MS);
  const searching = term.length >= VENDOR_SEARCH_MIN;
  const { data: found, isError } = useQuery({
    queryKey: ["survey-vendors", term],
    queryFn: ({ signal }) => call(calls.searchVendors, { params: { q: term } }, { signal }),
    enabled: searching,
  });
  const rows =
    searching && found
      ? found.slice(0, VENDOR_SEARCH_MAX_ROWS).map(({ id, name, state }) => ({ value: id, label: name, note: state }))
      : offered.map(({ id, name }) => ({ value: id, label: name, note: "In your order" }));
  return (
    <div ref={place} className={s.vendors}>
      <Field label="Find your farmer or vendor" hint={`Type at least ${VENDOR_SEARCH_MIN} letters`}>
        <SearchInput value={typed} onChange={(event) => setTyped(event.target.value)} onClear={() => setTyped("")} />
      </Field>
      {searching && (isError || found?.length === 0) && <p role="status">{messages.vendorSearch}</p>}
      {rows.length > 0 && <RadioRows legend="Which farmer or vendor?" rows={rows} value={value} onChange={onChange} />}
    </div>
  );
}
