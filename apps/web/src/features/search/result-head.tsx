import { announce } from "@marketday/ui/live-region.tsx";
import { type ReactNode, useEffect } from "react";

import { messages } from "../../lib/messages.ts";

import s from "./search-page.module.css";

interface ResultHeadProps {
  term: string;
  /** Null while it is not known. */
  total: number | null;
  /** Items or Vendors. */
  choice: ReactNode;
}

/** "Found N results", for what, and the choice of where. The heading stays the same element, whatever it says. */
export function ResultHead({ term, total, choice }: ResultHeadProps) {
  // The same number for another term is news as well.
  useEffect(() => {
    if (total !== null) announce(`${messages.foundResults(total)} for ${term}`);
  }, [total, term]);
  return (
    <div className={s.head}>
      <div>
        <h1>{total === null ? "Searching…" : messages.foundResults(total)}</h1>
        <p className={s.term}>for “{term}”</p>
      </div>
      {choice}
    </div>
  );
}
