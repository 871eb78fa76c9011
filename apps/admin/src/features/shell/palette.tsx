import { useMarketNow } from "@marketday/client/clock.ts";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Leaf } from "@marketday/ui/admin/leaf.tsx";
import { pushDialog } from "@marketday/ui/dialog-stack.ts";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { lockScroll } from "@marketday/ui/scroll-lock.ts";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";

import * as t from "#messages/shell";

import { useMe } from "../session/api.ts";
import { type Command, findCommands, listCommands } from "./commands.ts";
import { useFoundPeople } from "./find-people.ts";
import { joinLateRows } from "./late-rows.ts";
import { capsOf, useShortcutsOff } from "./shortcuts.ts";
import { parseTyped } from "./typed-commands.ts";
import { useFoundOrders } from "./use-found-orders.ts";
import type { FrameActions } from "./use-frame-actions.ts";
import { useTypedCommands } from "./use-typed-commands.ts";
import type { Week } from "./use-week.ts";

import s from "./palette.module.css";

interface PaletteProps {
  week: Week;
  actions: FrameActions;
  onClose: () => void;
}

/** Finds a screen, a market, a delivery day or an action by its words. Arrows choose, Enter goes there, Esc closes. */
export function Palette({ week, actions, onClose }: PaletteProps) {
  const me = useMe();
  const now = useMarketNow();
  const areKeysOff = useShortcutsOff();
  const [text, setText] = useState("");
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  const commands = listCommands({ me, rows: week.rows, now, areKeysOff });
  const typed = useTypedCommands(text, week);
  // People and orders come last and together: they arrive later, and move nothing.
  const late = joinLateRows([useFoundPeople(text), useFoundOrders(text)]);
  const found = [...typed, ...findCommands(commands, text), ...late.rows];
  // Days that arrive meanwhile do not move what Enter does.
  const [chosenId, setChosenId] = useState(found[0]?.id);
  // Nor do people and orders that are read again.
  if (chosenId === undefined && found[0] && !parseTyped(text)) setChosenId(found[0].id);
  const chosen = found.find((command) => command.id === chosenId) ?? found[0];

  useLayoutEffect(() => {
    const dialog = box.current;
    if (!dialog) return;
    const hadFocus = document.activeElement !== document.body;
    dialog.showModal();
    const unlock = lockScroll();
    const leave = pushDialog(dialog);
    return () => {
      unlock();
      leave();
      // The browser returns the focus; where nothing had it, the search takes it.
      dialog.close();
      if (!hadFocus) document.getElementById("search")?.focus();
    };
  }, []);

  const run = (command: Command) => {
    onClose();
    // After the dialog has closed and the focus is back.
    queueMicrotask(() => actions.run(command));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const at = chosen ? found.indexOf(chosen) : 0;
    if (event.key === "ArrowDown") setChosenId((found[at + 1] ?? found[0])?.id);
    else if (event.key === "ArrowUp") setChosenId(found.at(at - 1)?.id);
    else if (event.key === "Enter" && chosen) run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    // The scrim is the dialog element itself; the keyboard's way out is Esc.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={box}
      className={s.palette}
      aria-label={t.palette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      <div className={s.inner}>
        <div className={s.query}>
          <Icon name="find" size="sm" />
          <input
            className={s.field}
            type="text"
            role="combobox"
            aria-label={t.search}
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            placeholder={t.searchHint}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              // What the text names comes first, also when it arrives later.
              setChosenId(parseTyped(target.value) ? undefined : findCommands(commands, target.value)[0]?.id);
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={s.close} onClick={onClose}>
            <Kbd keys={t.escape} />
            <VisuallyHidden>{t.close}</VisuallyHidden>
          </button>
        </div>
        <div id={`${id}-list`} className={s.list} role="listbox" aria-label={t.results}>
          {found.map((command) => (
            <Option
              key={command.id}
              id={`${id}-${command.id}`}
              command={command}
              isChosen={command === chosen}
              onPoint={() => setChosenId(command.id)}
              onRun={() => run(command)}
            />
          ))}
        </div>
        {found.length === 0 && !late.isPending && (
          <div className={s.nothing}>
            <p>
              <b>{t.nothingFound(text.trim())}</b>
            </p>
            <p>{t.nothingFoundHint}</p>
          </div>
        )}
        <VisuallyHidden>
          <span role="status">
            {text === "" || (found.length === 0 && late.isPending) ? "" : t.resultCount(found.length)}
          </span>
        </VisuallyHidden>
        {chosen?.command !== undefined && (
          <div className={s.foot}>
            <span>{t.commandLine}</span>
            <CommandHint key={chosen.command} command={chosen.command} />
          </div>
        )}
      </div>
    </dialog>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isChosen: boolean;
  onPoint: () => void;
  onRun: () => void;
}

const Option = ({ id, command: { title, detail, icon, date, keys }, isChosen, onPoint, onRun }: OptionProps) => (
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
    onClick={onRun}
  >
    <span className={s.mark}>{date ? <Leaf size="sm" date={date} /> : <Icon name={icon} size="sm" />}</span>
    <span className={s.words}>
      <span className={s.title}>{title}</span>
      {detail !== undefined && <small className={s.detail}>{detail}</small>}
    </span>
    <span className={s.keys} aria-hidden="true">
      {isChosen ? (
        <Kbd keys={t.enter} />
      ) : (
        keys !== undefined && capsOf({ keys }).map((cap) => <Kbd key={cap} keys={cap} />)
      )}
    </span>
  </div>
);

function scrollHere(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
