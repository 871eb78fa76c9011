import { useAction } from "@marketday/client/forms/use-action.ts";
import { useUnsaved } from "@marketday/client/unsaved-work.ts";
import { Button } from "@marketday/ui/button.tsx";
import { Checkbox } from "@marketday/ui/checkbox.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { useEffect, useState } from "react";

import * as t from "#messages/api-keys";

import { AlertBox } from "../session/alert-box.tsx";
import { type ApiKey, exampleOf } from "./api.ts";

import s from "./api-keys.module.css";

interface NewKeyProps {
  secret: string;
  permissions: ApiKey["permissions"];
  returnTo: string;
  onDone: () => void;
}

/** A new key, which is shown once: it is not closed by a slip, and closing the page before needs a confirmation. */
export function NewKey({ secret, permissions, returnTo, onDone }: NewKeyProps) {
  const [isKept, setKept] = useState(false);
  const [copied, setCopied] = useState<string | null>(null);
  const { error, attempt } = useAction();
  useUnsaved(true);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, []);
  const example = exampleOf(secret, permissions, location.origin);
  const copy = (text: string) =>
    void attempt(
      "copy",
      async () => {
        await navigator.clipboard.writeText(text);
        setCopied(text);
        announce(t.copied);
      },
      () => t.copyFailed,
    );
  const shown = [
    { label: t.keyLabel, text: secret, action: t.copyKey },
    { label: t.exampleLabel, text: example, action: t.copyExample },
  ];
  return (
    <Dialog returnTo={returnTo}>
      <DialogBody>
        <Stack gap={4}>
          <DialogTitle>{t.createdTitle}</DialogTitle>
          <p>{t.createdLead}</p>
          {shown.map(({ label, text, action }) => (
            <div key={label} role="group" aria-label={label} className={s.shown}>
              <strong>{label}</strong>
              <code className={s.code} translate="no">
                {text}
              </code>
              <Button kind="outline" icon={copied === text ? "check" : "copy"} onClick={() => copy(text)}>
                {copied === text ? t.copied : action}
              </Button>
            </div>
          ))}
          {error && <AlertBox key={error}>{error}</AlertBox>}
          <Checkbox checked={isKept} onChange={({ target }) => setKept(target.checked)}>
            {t.kept}
          </Checkbox>
          <Button size="lg" wide disabled={!isKept} aria-describedby="api-key-not-kept" onClick={onDone}>
            {t.done}
          </Button>
          <p id="api-key-not-kept" className={s.note}>
            {!isKept && t.notKept}
          </p>
        </Stack>
      </DialogBody>
    </Dialog>
  );
}
