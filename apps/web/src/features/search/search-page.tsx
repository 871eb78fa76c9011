import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { useLocation } from "react-router";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { BrowseChips } from "./browse-chips.tsx";
import { ItemResults } from "./item-results.tsx";
import { rememberMode } from "./recent.ts";
import { cleanTerm, isLongEnough, type SearchMode } from "./term.ts";
import { useGoTo } from "./use-go-to.ts";
import { VendorResults } from "./vendor-results.tsx";

import s from "./search-page.module.css";

const modes: { value: SearchMode; label: string }[] = [
  { value: "items", label: "Items" },
  { value: "vendors", label: "Vendors" },
];

/** What the market has for a term (spec §2.1 /search): items, 18 a page, or vendors. Starts at three characters. */
export default function SearchPage() {
  const query = new URLSearchParams(useLocation().search);
  const term = cleanTerm(query.get("q") ?? "");
  const mode: SearchMode = query.get("in") === "vendors" ? "vendors" : "items";
  const goTo = useGoTo();
  useTitle(term ? `“${term}”` : "Search");

  if (!isLongEnough(term))
    return (
      <div className={s.page}>
        <h1>Search</h1>
        <EmptyState
          icon="find"
          title={term === "" ? "What are you looking for?" : messages.searchShort}
          action={<BrowseChips />}
        >
          Type a product or a farm above, or browse:
        </EmptyState>
      </div>
    );
  const choice = (
    <RadioChips
      legend="Search for"
      legendHidden
      chips={modes}
      value={mode}
      onChange={(next) => {
        rememberMode(next);
        goTo({ term, mode: next, page: 1 }, "replace");
      }}
    />
  );
  return (
    <div className={s.page}>
      {mode === "items" ? (
        <ItemResults key={term} term={term} choice={choice} />
      ) : (
        <VendorResults key={term} term={term} choice={choice} />
      )}
    </div>
  );
}
