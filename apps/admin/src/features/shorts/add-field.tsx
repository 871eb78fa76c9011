import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { type KeyboardEvent, type RefObject, useId, useState } from "react";

import * as t from "#messages/shorts";

import { findItems, parseAddText } from "./add-text.ts";
import type { DayItem } from "./api.ts";

import s from "./add-field.module.css";

interface AddFieldProps {
  items: readonly DayItem[];
  /** Its items are listed before anything is typed. */
  listsAll: boolean;
  field: RefObject<HTMLInputElement | null>;
  /** `came`: the number that was typed with the item. */
  onPick: (item: DayItem, came: number | null) => void;
  onClose: () => void;
}

/** Finds an item of the day by its name or its vendor, with the number that came: "eggs 9". Enter picks the first that fits. */
export function AddField({ items, listsAll, field, onPick, onClose }: AddFieldProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(listsAll);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { words, came } = parseAddText(text);
  const found = findItems(items, words);
  const isShown = isOpen || text.trim() !== "";
  const chosen = isShown ? (found.find(({ variantId }) => variantId === chosenId) ?? found[0]) : undefined;

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
    else if (event.key === "Enter" && chosen) pick(chosen);
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
      <div id={`${id}-list`} className={s.list} role="listbox" aria-label={t.items} hidden={!isShown}>
        {isShown &&
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
      {isShown && found.length === 0 && <p className={s.nothing}>{t.nothingFound(words)}</p>}
      <VisuallyHidden>
        <span role="status">{words === "" ? "" : t.itemCount(found.length)}</span>
      </VisuallyHidden>
    </div>
  );
}

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
