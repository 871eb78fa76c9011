import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import * as calls from "@marketday/contracts/admin/calls";
import type { InboxItem } from "@marketday/contracts/admin/inbox";
import { fillTemplate, isModerated } from "@marketday/domain/inbox-turn";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount, tooLong } from "@marketday/ui/character-count.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { Select, TextArea, TextInput } from "@marketday/ui/text-input.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import * as t from "#messages/inbox";

import { call } from "../../lib/api.ts";
import { useDraft } from "../../lib/drafts.ts";
import { formatOrderNumber } from "../../lib/order-number.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { useUndo } from "../actions/use-undo.ts";
import { RequestKeys } from "../session/request-key.ts";
import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { cacheItem, currentItem, isForbidden, isUnknown, itemQuery, templatesQuery } from "./api.ts";
import { firstName } from "./format.ts";
import { TemplatesDialog } from "./templates-dialog.tsx";

import s from "./inbox.module.css";

const REPLY = "inbox-reply";

/** Under an item: the answer that is being written, and what else can be done. */
export function ItemFoot({ item }: { item: InboxItem }) {
  const { pending, can } = item;
  const [form, setForm] = useState<"hide" | "answer" | "close" | null>(null);
  const verbs = useVerbs(item);
  useShortcuts(
    [
      can.reply && { keys: "r", label: t.keyReply, run: focusOn(REPLY) },
      can.assign && { keys: "a", label: t.keyAssign, run: focusOn("inbox-assignee") },
      can.hide && {
        keys: "h",
        label: t.keyHide,
        run: () => (item.isHidden ? verbs.hide("text", false, "") : setForm("hide")),
      },
      (can.close || can.reopen) && {
        keys: "e",
        label: t.keyDone,
        run: () => {
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
        form={form}
        busy={verbs.running !== null}
        error={verbs.error}
        onLeave={leave}
        onSubmit={(reason) => {
          if (form === "close") verbs.close(true, reason, leave);
          else verbs.hide(form === "hide" ? "text" : "answer", true, reason, leave);
        }}
      />
    );
  return (
    <div className={s.foot}>
      {pending ? <Pending item={item} /> : can.reply && <ReplyBox item={item} />}
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

/** Closing, opening again, hiding and showing again. `onDone` runs when the server has done it. */
function useVerbs({ kind, id, version }: InboxItem) {
  const client = useQueryClient();
  const { attempt, running, error } = useAction();
  type Written = { item: InboxItem; action: StaffAction | null };
  const write = async (name: string, send: () => Promise<Written>, onDone?: () => void): Promise<void> => {
    const done = await attempt(
      name,
      async () => {
        try {
          const { item, action } = await send();
          cacheItem(client, item);
          if (action) cacheAction(client, action);
          return true;
        } catch (cause) {
          const current = currentItem(cause);
          if (current) cacheItem(client, current);
          throw cause;
        } finally {
          void rereadActions(client);
        }
      },
      (cause) => (currentItem(cause) ? t.movedOn : messageOf(cause)),
    );
    if (done) onDone?.();
  };
  return {
    running,
    error,
    close: (isClosed: boolean, reason: string, onDone?: () => void): void =>
      void write(
        "close",
        () => call(calls.closeInbox, { params: { kind, id }, body: { isClosed, reason, expectedVersion: version } }),
        onDone,
      ),
    hide: (part: "text" | "answer", isHidden: boolean, reason: string, onDone?: () => void): void => {
      if (!isModerated(kind)) return;
      void write(
        "hide",
        () =>
          call(calls.hideInbox, { params: { kind, id }, body: { part, isHidden, reason, expectedVersion: version } }),
        onDone,
      );
    },
  };
}

interface ReasonFormProps {
  form: "hide" | "answer" | "close";
  busy: boolean;
  error: string | null;
  onLeave: () => void;
  onSubmit: (reason: string) => void;
}

/** Why a text is hidden, or what came of a report. */
function ReasonForm({ form, busy, error, onLeave, onSubmit }: ReasonFormProps) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const isClose = form === "close";
  useEffect(() => document.getElementById("inbox-reason")?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onLeave();
    } else if (!event.ctrlKey && !event.metaKey) event.nativeEvent.stopPropagation();
  };
  return (
    // Esc leaves the form and not the panel.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={s.foot}
      aria-label={isClose ? t.closeTitle : t.hideTitle}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() === "") setMissing(true);
        else if (!busy) onSubmit(reason.trim());
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
          <TextInput
            autoComplete="off"
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
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

/** An answer that is held: what it says, by whom, and its Undo. */
function Pending({ item: { kind, id, pending } }: { item: InboxItem }) {
  const { undo, isUndoing, failureOf } = useUndo();
  const { text: draft } = useDraft(`inbox-${kind}-${id}`);
  if (!pending) return null;
  const { action, text } = pending;
  const failure = failureOf(action.id);
  return (
    <div className={s.pending} role="status">
      <p>
        <b>{action.isOwn ? t.pendingOwn : t.pendingTitle(action.by)}</b>
      </p>
      <p className={s.text}>{text}</p>
      {draft.trim() !== "" && draft.trim() !== text && (
        <>
          <p className={s.quiet}>{t.keptDraft}</p>
          <p className={s.text}>{draft}</p>
        </>
      )}
      {failure !== undefined && <p className={s.failure}>{failure}</p>}
      {action.canUndo && (
        <Compact>
          <Button kind="outline" icon="undo" busy={isUndoing(action.id) && t.undoing} onClick={() => undo(action)}>
            {t.undo}
          </Button>
        </Compact>
      )}
    </div>
  );
}

/** The answer that is being written. It is kept until it was sent, also over a reload, an Undo, and what others do meanwhile. */
function ReplyBox({ item }: { item: InboxItem }) {
  const { kind, id, version, sender, order, audience, replyMax, conversation } = item;
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  const { text, write, clear } = useDraft(`inbox-${kind}-${id}`);
  const { data: templates = [] } = useQuery(templatesQuery);
  const [isManaging, setManaging] = useState(false);
  const [wasSent, setSent] = useState(false);
  const [hasConflict, setConflict] = useState(false);
  const { attempt, running, error } = useAction();
  // It was sent and is shown above.
  const last = conversation.findLast(({ from }) => from === "market");
  useEffect(() => {
    if (text !== "" && last?.text === text.trim()) clear();
  }, [last?.text, text, clear]);
  const over = tooLong(text.trim().length - replyMax);
  const name = firstName(sender.name) || t.them;
  const send = async () => {
    if (text.trim() === "" || over !== null) {
      setSent(true);
      document.getElementById(REPLY)?.focus();
      return;
    }
    await attempt(
      "reply",
      async () => {
        const request = { params: { kind, id }, body: { text: text.trim(), expectedVersion: version } };
        setConflict(false);
        try {
          const { item: next, action } = await keys.current.run(request, (idempotencyKey) =>
            call(calls.replyInbox, request, { idempotencyKey }),
          );
          cacheItem(client, next);
          if (action) cacheAction(client, action);
          announce(t.answerHeld);
        } catch (cause) {
          const current = currentItem(cause);
          if (current) {
            cacheItem(client, current);
            setConflict(true);
            return;
          }
          if (cause instanceof ApiError && !cause.isOffline && !isForbidden(cause))
            void client.invalidateQueries({ queryKey: itemQuery(kind, id).queryKey });
          throw cause;
        } finally {
          void rereadActions(client);
        }
      },
      (cause) => (isUnknown(cause) ? t.unknown : isForbidden(cause) ? t.revoked : messageOf(cause)),
    );
  };
  const insert = (templateId: string) => {
    const template = templates.find((each) => String(each.id) === templateId);
    if (!template) return;
    const filled = fillTemplate(template.text, {
      name: firstName(sender.name),
      order: order ? formatOrderNumber(order.id) : "",
    });
    write(text.trim() === "" ? filled : `${text.trimEnd()}\n\n${filled}`);
    document.getElementById(REPLY)?.focus();
  };
  return (
    <div className={s.reply}>
      {hasConflict && (
        <div role="alert">
          <Banner tone="information">{t.conflict}</Banner>
        </div>
      )}
      <div className={s.templates}>
        <Compact>
          <Field label={t.pickTemplate} labelHidden>
            <Select value="" onChange={({ target }) => insert(target.value)}>
              <option value="">{t.pickTemplate}</option>
              {templates.map((template) => (
                <option key={template.id} value={template.id}>
                  {template.name}
                </option>
              ))}
            </Select>
          </Field>
          <Button kind="outline" id="inbox-templates" onClick={() => setManaging(true)}>
            {t.manageTemplates}
          </Button>
        </Compact>
      </div>
      <Field
        label={t.reply}
        id={REPLY}
        aside={<CharacterCount length={text.trim().length} max={replyMax} />}
        error={over ?? (wasSent && text.trim() === "" ? t.writeAnswer : null)}
      >
        <TextArea
          rows={3}
          value={text}
          onChange={({ target }) => write(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void send();
            } else if (event.key === "Escape") {
              event.preventDefault();
              event.stopPropagation();
              event.currentTarget.blur();
            }
          }}
        />
      </Field>
      {error !== null && (
        <p className={s.failure} role="alert">
          {error}
        </p>
      )}
      <div className={s.sendRow}>
        {audience && <p className={s.quiet}>{t.audience[audience](name)}</p>}
        <Compact>
          <Button icon="mail" busy={running === "reply" && t.sending} onClick={() => void send()}>
            {t.send}
            <Kbd keys="Ctrl Enter" inButton />
          </Button>
        </Compact>
      </div>
      {isManaging && <TemplatesDialog onClose={() => setManaging(false)} />}
    </div>
  );
}
