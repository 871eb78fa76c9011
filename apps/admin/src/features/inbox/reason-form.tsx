import type { InboxItem } from "@marketday/contracts/admin/inbox";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { TextInput } from "@marketday/ui/text-input.tsx";
import { useEffect, useState } from "react";

import * as t from "#messages/inbox";

import { useDraft } from "../../lib/drafts.ts";
import { formKeys } from "../shell/form-keys.ts";

import s from "./inbox.module.css";

interface ReasonFormProps {
  item: Pick<InboxItem, "kind" | "id">;
  form: "hide" | "answer" | "close";
  busy: boolean;
  error: string | null;
  onLeave: () => void;
  /** `clear`: the reason is saved, and its draft is not kept any longer. */
  onSubmit: (reason: string, clear: () => void) => void;
}

/** Why a text is hidden, or what came of a report. Each has a separate draft, kept until it is saved. */
export function ReasonForm({ item: { kind, id }, form, busy, error, onLeave, onSubmit }: ReasonFormProps) {
  const { text: reason, write, clear } = useDraft(`inbox-${form}-${kind}-${id}`);
  const [isMissing, setMissing] = useState(false);
  const isClose = form === "close";
  useEffect(() => document.getElementById("inbox-reason")?.focus(), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={s.foot}
      aria-label={isClose ? t.closeTitle : t.hideTitle}
      onKeyDown={formKeys(onLeave)}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() === "") setMissing(true);
        else if (!busy) onSubmit(reason.trim(), clear);
      }}
    >
      {!isClose && <p>{form === "hide" ? t.hideEffect : t.hideAnswerEffect}</p>}
      <Compact>
        <Field
          label={isClose ? t.closeReason : t.hideReason}
          hint={isClose ? t.closeReasonHint : t.hideReasonHint}
          id="inbox-reason"
          error={isMissing && reason.trim() === "" ? t.reasonMissing : null}
        >
          <TextInput autoComplete="off" maxLength={500} value={reason} onChange={({ target }) => write(target.value)} />
        </Field>
      </Compact>
      {error !== null && (
        <p className={s.failure} role="alert">
          {error}
        </p>
      )}
      <div className={s.verbs}>
        <Compact>
          <Button type="submit" kind={isClose ? undefined : "danger"} busy={busy && t.saving}>
            {isClose ? t.doClose : t.doHide}
          </Button>
          <Button kind="outline" onClick={onLeave}>
            {t.keep}
          </Button>
        </Compact>
      </div>
    </form>
  );
}
