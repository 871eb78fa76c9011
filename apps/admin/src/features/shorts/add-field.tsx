import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";

import * as t from "#messages/shorts";

import { findItems, parseAddText, parseAddTexts } from "./add-text.ts";
import type { DayItem } from "./api.ts";

import s from "./add-field.module.css";

export interface Picked {
  item: DayItem;
  came: number;
}

interface AddFieldProps {
  items: readonly DayItem[];
  /** What is in the field at first. */
  initialText: string;
  /** Its items are listed before anything is typed. */
  listsAll: boolean;
  field: RefObject<HTMLInputElement | null>;
  /** `came`: the number that was typed with the item. */
  onPick: (item: DayItem, came: number | null) => void;
  /** Several were typed, each with its number. */
  onPickAll: (picked: Picked[]) => void;
  onClose: () => void;
}

/**
 * Finds an item of the day by its name or its vendor, with the number that came: "eggs 9". Enter picks the first that fits. Of several,
 * "eggs 9, rye 3", it takes the first that fits each.
 */
export function AddField({ items, initialText, listsAll, field, onPick, onPickAll, onClose }: AddFieldProps) {
  const id = useId();
  const [text, setText] = useState(initialText);
  const [isOpen, setOpen] = useState(false);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { words, came } = parseAddText(text);
  const found = findItems(items, words);
  const isShown = listsAll || isOpen || text.trim() !== "";
  const chosen = isShown ? (found.find(({ variantId }) => variantId === chosenId) ?? found[0]) : undefined;

  const texts = parseAddTexts(text);
  const several = texts.length > 1 ? texts.map((one) => ({ ...one, item: findItems(items, one.words)[0] })) : null;
  const isTwice = (item: DayItem | undefined, place: number) =>
    several?.findIndex((one) => one.item === item) !== place;
  // Not found, without a number, or named twice.
  const missing = several?.find(
    ({ item, came: number }, place) => item === undefined || number === null || isTwice(item, place),
  );
  const pickAll = () => {
    if (!several || missing) return;
    setText("");
    onPickAll(several.flatMap((one) => (one.item && one.came !== null ? [{ item: one.item, came: one.came }] : [])));
  };
  const pick = (item: DayItem) => {
    setText("");
    setOpen(false);
    setChosenId(null);
    onPick(item, came);
  };
  useEffect(() => field.current?.focus(), [field]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const at = chosen ? found.indexOf(chosen) : -1;
    if (event.key === "ArrowDown") {
      setOpen(true);
      setChosenId((found[at + 1] ?? found[0])?.variantId ?? null);
    } else if (event.key === "ArrowUp") setChosenId(found.at(at - 1)?.variantId ?? null);
    else if (event.key === "Enter" && several) pickAll();
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
          aria-expanded={isShown && several === null}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && several === null ? `${id}-${chosen.variantId}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t.addHint}
          value={text}
          onPaste={(event) => {
            // A list with an item a line: a field has one line.
            const pasted = event.clipboardData.getData("text");
            if (!/\n\s*\S/.test(pasted)) return;
            event.preventDefault();
            setText(pasted.trim().replaceAll(/\s*\n\s*/g, ", "));
          }}
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
        <div className={s.several}>
          <ul aria-label={t.several}>
            {several.map((one, place) => (
              // What is typed is in its place, and may be typed twice.
              <li
                // oxlint-disable-next-line react/no-array-index-key
                key={place}
                data-missing={one.item && one.came !== null && !isTwice(one.item, place) ? undefined : ""}
              >
                <span className={s.words}>
                  <b>{one.item?.title ?? t.nothingFound(one.words)}</b>
                </span>
                <span className={s.number}>
                  {one.item &&
                    (isTwice(one.item, place)
                      ? t.namedTwice
                      : one.came === null
                        ? t.noNumber
                        : t.cameOf(one.came, one.item.ordered))}
                </span>
              </li>
            ))}
          </ul>
          <Compact>
            <Button kind="outline" wide disabled={missing !== undefined} onClick={pickAll}>
              {t.addAll(several.length)}
              <Kbd keys={t.enter} inButton />
            </Button>
          </Compact>
        </div>
      )}
      {isShown && several === null && found.length === 0 && <p className={s.nothing}>{t.nothingFound(words)}</p>}
      <VisuallyHidden>
        <span role="status">
          {several
            ? t.itemCount(several.filter(({ item }) => item).length)
            : words === ""
              ? ""
              : t.itemCount(found.length)}
        </span>
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
