import { useAction } from "@marketday/client/forms/use-action.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Cluster } from "@marketday/ui/layout.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { useEffect, useState } from "react";

import * as t from "#messages/session";

import { AlertBox } from "./alert-box.tsx";

import s from "./recovery-codes.module.css";

interface RecoveryCodesProps {
  codes: readonly string[];
  marketName: string;
  email: string;
  /** The button that goes on. */
  doneLabel: string;
  onDone: () => void;
}

/** New recovery codes, which are shown once: to go on, one says that they are kept. Closing the page before needs a confirmation. */
export function RecoveryCodes({ codes, marketName, email, doneLabel, onDone }: RecoveryCodesProps) {
  const [isKept, setKept] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const { error, attempt } = useAction();
  useUnsaved(true);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, []);

  const text = `${t.codesFileHead(marketName, email)}\n\n${codes.join("\n")}\n`;
  const copy = () =>
    void attempt(
      "copy",
      async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
        announce(t.copied);
      },
      () => t.copyFailed,
    );
  const download = () => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: t.codesFile(marketName) });
    link.click();
    // The download has its copy only after the click's task.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <div className={s.codes}>
      <p>{t.codesLead(codes.length)}</p>
      <p className={s.printed}>{t.codesFileHead(marketName, email)}</p>
      <ol className={s.list} aria-label={t.codesList}>
        {codes.map((code) => (
          <li key={code} translate="no">
            {code}
          </li>
        ))}
      </ol>
      <Cluster gap={3} align="stretch">
        <Button kind="outline" icon={isCopied ? "check" : "copy"} onClick={copy}>
          {isCopied ? t.copied : t.copy}
        </Button>
        <Button kind="outline" icon="out" onClick={download}>
          {t.download}
        </Button>
        <Button kind="outline" icon="print" onClick={() => window.print()}>
          {t.print}
        </Button>
      </Cluster>
      {error && <AlertBox key={error}>{error}</AlertBox>}
      <div className={s.done} data-no-print="">
        <Checkbox checked={isKept} onChange={({ target }) => setKept(target.checked)}>
          {t.codesSaved}
        </Checkbox>
        <Button size="lg" wide disabled={!isKept} aria-describedby="codes-not-kept" onClick={onDone}>
          {doneLabel}
        </Button>
        <p id="codes-not-kept" className={s.note}>
          {!isKept && t.codesNotSaved}
        </p>
      </div>
    </div>
  );
}
