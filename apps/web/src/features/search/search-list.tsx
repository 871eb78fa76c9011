import { Avatar } from "@marketday/ui/avatar.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Picture } from "@marketday/ui/picture.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";

import { messages } from "../../lib/messages.ts";
import { BrowseChips } from "./browse-chips.tsx";
import type { Option } from "./options.ts";
import { predictedParts, type SearchMode } from "./term.ts";
import type { SearchBoxState } from "./use-search-box.ts";

import s from "./search-list.module.css";

const modes: { value: SearchMode; label: string }[] = [
  { value: "items", label: "Items" },
  { value: "vendors", label: "Vendors" },
];
const kinds = { product: "Item", vendor: "Vendor", collection: "Collection" } as const;

/** Under the field: Items or Vendors, then recent searches, suggestions, or what is missing. */
export default function SearchList({ box, listId }: { box: SearchBoxState; listId: string }) {
  const { term, mode, isReady, isWaiting, error, options, active } = box;
  return (
    <div className={s.list}>
      <RadioChips legend="Search for" legendHidden chips={modes} value={mode} onChange={box.setMode} />
      {term !== "" && !isReady && (
        <p className={s.note} role="status">
          {messages.searchShort}
        </p>
      )}
      {term === "" && options.length > 0 && (
        <div className={s.head}>
          <p className={s.title}>Recent searches</p>
          <Button kind="link" onClick={box.clearRecent}>
            Clear
          </Button>
        </div>
      )}
      {isReady && error && (
        <div className={s.failed}>
          <p role="alert">{mode === "vendors" ? messages.vendorSearch : error.message}</p>
          <Button kind="link" onClick={box.retry}>
            Try again
          </Button>
        </div>
      )}
      {options.length > 0 && (
        <div
          id={listId}
          role="listbox"
          aria-label={term === "" ? "Recent searches" : "Suggestions"}
          className={s.options}
          data-waiting={isWaiting && box.hasSuggestions ? "" : undefined}
        >
          {options.map((option, index) => (
            // Walked with the arrows of the field, which keeps the focus (aria-activedescendant).
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={option.key}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={cx(s.option, option.kind === "all" && s.all)}
              onClick={() => box.choose(option)}
            >
              <Face option={option} />
              <Words option={option} term={term} />
            </div>
          ))}
        </div>
      )}
      {term === "" && (
        <div className={s.browse} data-start="">
          <p className={s.title}>Browse</p>
          <BrowseChips />
        </div>
      )}
    </div>
  );
}

function Face({ option }: { option: Option }) {
  if (option.kind !== "suggestion") return <Icon name={option.kind === "all" ? "find" : "clock"} />;
  const { type, id, title, image } = option.suggestion;
  if (type === "vendor") return <Avatar id={id} name={title} picture={image} size="sm" />;
  return (
    <span className={s.picture}>
      <Picture picture={image} sizes="36px" alt="" />
    </span>
  );
}

function Words({ option, term }: { option: Option; term: string }) {
  if (option.kind === "recent") return <span>{option.label}</span>;
  if (option.kind === "all") return <span>All results for “{option.label}”</span>;
  const { type, vendor, price, size } = option.suggestion;
  return (
    <>
      <span className={s.words}>
        {predictedParts(option.label, term).map(({ text, predicted }, place) =>
          // oxlint-disable-next-line react/no-array-index-key
          predicted ? <b key={place}>{text}</b> : <span key={place}>{text}</span>,
        )}
        <small className={s.vendor}>{[vendor ?? kinds[type], size].filter(Boolean).join(" · ")}</small>
      </span>
      {price !== null && <small className={s.price}>{formatMoney(price)}</small>}
    </>
  );
}
