import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { type KeyboardEvent, type RefObject, useId, useState } from "react";

import * as t from "#messages/shorts";

import { findItems, type NamedCount, parseAddText, parseSeveral } from "./add-text.ts";
import type { DayItem } from "./api.ts";

import s from "./add-field.module.css";

interface AddFieldProps {
  items: readonly DayItem[];
  /** Its items are listed before anything is typed. */
  listsAll: boolean;
  field: RefObject<HTMLInputElement | null>;
  /** `came`: the number that was typed with the item. */
  onPick: (item: DayItem, came: number | null) => void;
  /** Several were typed at once, each with its number. */
  onPickAll: (picked: { item: DayItem; came: number }[]) => void;
  onClose: () => void;
}

/** The counts of several items, when each was found and has a number, and none is named twice. */
function countsOf(several: readonly NamedCount[]): { item: DayItem; came: number }[] | null {
  const counts = several.flatMap(({ item, came }) => (item && came !== null ? [{ item, came }] : []));
  const ids = new Set(counts.map(({ item }) => item.variantId));
  return counts.length === several.length && ids.size === counts.length ? counts : null;
}

/** Finds an item of the day by its name or its vendor, with the number that came: "eggs 9"; of several, "eggs 9, rye 3", Enter takes all. */
export function AddField({ items, listsAll, field, onPick, onPickAll, onClose }: AddFieldProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(listsAll);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { words, came } = parseAddText(text);
  const several = parseSeveral(items, text);
  const found = several ? several.flatMap(({ item }) => item ?? []) : findItems(items, words);
  const isShown = isOpen || text.trim() !== "";
  const counts = several && countsOf(several);
  const chosen = isShown && !several ? (found.find(({ variantId }) => variantId === chosenId) ?? found[0]) : undefined;

  const pick = (item: DayItem) => {
    setText("");
    setOpen(false);
    setChosenId(null);
    onPick(item, came);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const at = chosen ? found.indexOf(chosen) : -1;
    if (event.key === "ArrowDown") {
      setOpen(true);
      setChosenId((found[at + 1] ?? found[0])?.variantId ?? null);
    } else if (event.key === "ArrowUp") setChosenId(found.at(at - 1)?.variantId ?? null);
    else if (event.key === "Enter" && several) {
      if (counts) onPickAll(counts);
    } else if (event.key === "Enter" && chosen) pick(chosen);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div className={s.add}>
      <div className={s.query}>
        <Icon name="find" size="sm" />
        <input
          ref={field}
          className={s.field}
          type="text"
          role="combobox"
          aria-label={t.addLabel}
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.variantId}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t.addHint}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosenId(null);
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton icon="close" label={t.closeAdd} onClick={onClose} />
      </div>
      <div
        id={`${id}-list`}
        className={s.list}
        role="listbox"
        aria-label={t.items}
        hidden={!isShown || found.length === 0}
      >
        {isShown &&
          several?.map(({ item, words: named, came: number }) => (
            <Several key={named} item={item} words={named} came={number} />
          ))}
        {isShown &&
          !several &&
          found.map((item) => (
            <Option
              key={item.variantId}
              id={`${id}-${item.variantId}`}
              item={item}
              came={came}
              isChosen={item === chosen}
              onPoint={() => setChosenId(item.variantId)}
              onPick={() => pick(item)}
            />
          ))}
      </div>
      {several && (
        <VisuallyHidden>
          <span role="status">{counts ? t.severalReady(counts.length) : t.severalMissing}</span>
        </VisuallyHidden>
      )}
      {isShown && !several && found.length === 0 && <p className={s.nothing}>{t.nothingFound(words)}</p>}
      <VisuallyHidden>
        <span role="status">{words === "" ? "" : t.itemCount(found.length)}</span>
      </VisuallyHidden>
    </div>
  );
}

/** One of several items, with what Enter takes of it, or what it lacks. */
const Several = ({ item, words, came }: Omit<NamedCount, "item"> & { item: DayItem | undefined }) => (
  <div className={s.option} role="option" aria-selected={item !== undefined && came !== null} tabIndex={-1}>
    <span className={s.words}>
      <b>{item?.title ?? t.nothingFound(words)}</b>
      {item && (
        <small>
          <VendorMark id={item.vendor.id} name={item.vendor.name} />
        </small>
      )}
    </span>
    {item && <span className={s.number}>{came === null ? t.enterNumber : t.cameOf(came, item.ordered)}</span>}
  </div>
);

interface OptionProps {
  id: string;
  item: DayItem;
  came: number | null;
  isChosen: boolean;
  onPoint: () => void;
  onPick: () => void;
}

const Option = ({ id, item: { title, vendor, ordered }, came, isChosen, onPoint, onPick }: OptionProps) => (
  // The field has the focus and the keys.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
  <div
    ref={isChosen ? scrollHere : null}
    id={id}
    className={s.option}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    onPointerMove={onPoint}
    onClick={onPick}
  >
    <span className={s.words}>
      <b>{title}</b>
      <small>
        <VendorMark id={vendor.id} name={vendor.name} />
      </small>
    </span>
    <span className={s.number}>{came === null ? t.ordered(ordered) : t.cameOf(came, ordered)}</span>
  </div>
);

function scrollHere(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
