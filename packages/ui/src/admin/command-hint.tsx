import { useRef, useState } from "react";

import * as t from "#messages";

import { Icon } from "../icon/icon.tsx";
import { announce } from "../live-region.tsx";
import { Kbd } from "./kbd.tsx";

import s from "./command-hint.module.css";

interface CommandHintProps {
  /** The command of the server's terminal, without `./market`. */
  command: string;
  /** The key that copies it, shown beside its button. */
  keys?: string;
}

/** What is typed on the server. */
const PROGRAM = "./market";

/** A command of the terminal, to copy. Without a clipboard (plain http) it is selected, to copy by hand. */
export function CommandHint({ command, keys }: CommandHintProps) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setCopied] = useState(false);
  const word = isCopied ? t.copied : t.copy;
  const line = `${PROGRAM} ${command}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line);
      setCopied(true);
      announce(t.copied);
    } catch {
      getSelection()?.selectAllChildren(code.current!);
      announce(t.selectedToCopy);
    }
  };
  return (
    <span className={s.hint}>
      <code ref={code} className={s.command} translate="no">
        {line}
      </code>
      <button
        type="button"
        className={s.copy}
        aria-label={`${word} ${line}`}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        <Icon name={isCopied ? "check" : "copy"} size="sm" />
        <span>{word}</span>
      </button>
      {keys && (
        <span className={s.keys}>
          <Kbd keys={keys} inButton />
        </span>
      )}
    </span>
  );
}
