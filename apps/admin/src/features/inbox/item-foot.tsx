import type { InboxItem } from "@marketday/contracts/admin/inbox";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useState } from "react";

import * as t from "#messages/inbox";

import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { PendingAnswer } from "./pending-answer.tsx";
import { ReasonForm } from "./reason-form.tsx";
import { replyId, ReplyBox } from "./reply-box.tsx";
import { useItemVerbs } from "./use-item-verbs.ts";

import s from "./inbox.module.css";

/** Under an item: the answer that is being written, and what else can be done. */
export function ItemFoot({ item }: { item: InboxItem }) {
  const { pending, can } = item;
  const [form, setForm] = useState<"hide" | "answer" | "close" | null>(null);
  const verbs = useItemVerbs(item);
  // While a reason is written, no key does anything else with the item.
  const isFree = form === null;
  useShortcuts(
    [
      isFree && can.reply && { keys: "r", label: t.keyReply, run: focusOn(replyId) },
      can.assign && { keys: "a", label: t.keyAssign, run: focusOn("inbox-assignee") },
      isFree &&
        can.hide && {
          keys: "h",
          label: t.keyHide,
          run: (event: KeyboardEvent) => {
            // The letter is not typed into the form that it opens.
            event.preventDefault();
            if (item.isHidden) verbs.hide("text", false, "");
            else setForm("hide");
          },
        },
      isFree &&
        (can.close || can.reopen) && {
          keys: "e",
          label: t.keyDone,
          run: (event: KeyboardEvent) => {
            event.preventDefault();
            if (can.reopen) verbs.close(false, "");
            else if (item.kind === "problem") setForm("close");
            else verbs.close(true, "");
          },
        },
    ].filter((key): key is Shortcut => key !== false),
  );
  const leave = () => {
    setForm(null);
    requestAnimationFrame(() => document.getElementById("inbox-verbs")?.querySelector("button")?.focus());
  };
  if (form !== null)
    return (
      <ReasonForm
        key={form}
        item={item}
        form={form}
        busy={verbs.running !== null}
        error={verbs.error}
        onLeave={leave}
        onSubmit={(reason, clear) => {
          const done = () => {
            clear();
            leave();
          };
          if (form === "close") verbs.close(true, reason, done);
          else verbs.hide(form === "hide" ? "text" : "answer", true, reason, done);
        }}
      />
    );
  return (
    <div className={s.foot}>
      {pending ? <PendingAnswer item={item} /> : can.reply && <ReplyBox item={item} />}
      {verbs.error !== null && (
        <p className={s.failure} role="alert">
          {verbs.error}
        </p>
      )}
      <div id="inbox-verbs" className={s.verbs} role="group" aria-label={t.verbs}>
        <Compact>
          {can.close && (
            <Button
              kind="outline"
              busy={verbs.running === "close" && t.saving}
              onClick={() => (item.kind === "problem" ? setForm("close") : verbs.close(true, ""))}
            >
              {item.kind === "problem" ? t.verbCloseProblem : t.verbNoAnswer}
              <Kbd keys="E" inButton />
            </Button>
          )}
          {can.reopen && (
            <Button kind="outline" busy={verbs.running === "close" && t.saving} onClick={() => verbs.close(false, "")}>
              {t.verbReopen}
              <Kbd keys="E" inButton />
            </Button>
          )}
          {can.hide && (
            <Button
              kind="outline"
              busy={verbs.running === "hide" && t.saving}
              onClick={() => (item.isHidden ? verbs.hide("text", false, "") : setForm("hide"))}
            >
              {item.isHidden ? t.verbShow : t.verbHide}
              <Kbd keys="H" inButton />
            </Button>
          )}
          {can.hideAnswer && (
            <Button
              kind="outline"
              onClick={() => (item.answerHidden ? verbs.hide("answer", false, "") : setForm("answer"))}
            >
              {item.answerHidden ? t.verbShowAnswer : t.verbHideAnswer}
            </Button>
          )}
        </Compact>
      </div>
    </div>
  );
}

const focusOn = (id: string) => (event: globalThis.KeyboardEvent) => {
  event.preventDefault();
  document.getElementById(id)?.focus();
};
