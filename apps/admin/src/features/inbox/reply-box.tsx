import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { InboxItem, ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { fillTemplate } from "@marketday/domain/inbox-turn";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount, tooLong } from "@marketday/ui/character-count.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

import * as t from "#messages/inbox";

import { call } from "../../lib/api.ts";
import { useDraft } from "../../lib/drafts.ts";
import { formatOrderNumber } from "../../lib/order-number.ts";
import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { cacheItem, currentItem, isForbidden, isUnknown, itemQuery, templatesQuery } from "./api.ts";
import { firstName, panelTitleId } from "./format.ts";
import { isDelivered, lastAnswerAt, type SentAnswer } from "./sent-answer.ts";
import { TemplateMenu } from "./template-menu.tsx";
import { TemplatesDialog } from "./templates-dialog.tsx";

import s from "./inbox.module.css";

/** The field of the answer. */
export const replyId = "inbox-reply";

/** The answer that is being written. It is kept until it was sent, also over a reload, an Undo, and what others do meanwhile. */
export function ReplyBox({ item }: { item: InboxItem }) {
  const { kind, id, version, sender, order, audience, replyMax, conversation } = item;
  const client = useQueryClient();
  const keys = useRef(new RequestKeys());
  const place = useRef<HTMLDivElement>(null);
  // What is about to be sent takes its place: the focus stays in the panel.
  useLayoutEffect(() => {
    const root = place.current;
    return () => {
      if (root?.contains(document.activeElement))
        document.getElementById(panelTitleId(`${kind}/${id}`))?.focus({ preventScroll: true });
    };
  }, [kind, id]);
  const { text, write, clear } = useDraft(`inbox-${kind}-${id}`);
  const templates = useQuery(templatesQuery);
  const [isManaging, setManaging] = useState(false);
  const [wasSent, setSent] = useState(false);
  const [hasConflict, setConflict] = useState(false);
  const { attempt, running, error } = useAction();
  const sentKey = `inbox-sent-${kind}-${id}`;
  useEffect(() => {
    if (!isDelivered(conversation, getItem<SentAnswer>("session", sentKey), text)) return;
    clear();
    removeItem("session", sentKey);
  }, [conversation, sentKey, text, clear]);
  const over = tooLong(text.trim().length - replyMax);
  const name = firstName(sender.name) || t.them;
  const send = async () => {
    if (text.trim() === "" || over !== null) {
      setSent(true);
      document.getElementById(replyId)?.focus();
      return;
    }
    await attempt(
      "reply",
      async () => {
        const request = { params: { kind, id }, body: { text: text.trim(), expectedVersion: version } };
        setConflict(false);
        setItem("session", sentKey, { text: request.body.text, after: lastAnswerAt(conversation) });
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
            removeItem("session", sentKey);
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
  const insert = (template: ReplyTemplate) => {
    const filled = fillTemplate(template.text, {
      name: firstName(sender.name),
      order: order ? formatOrderNumber(order.id) : "",
    });
    write(text.trim() === "" ? filled : `${text.trimEnd()}\n\n${filled}`);
    document.getElementById(replyId)?.focus();
  };
  return (
    <div ref={place} className={s.reply}>
      {hasConflict && (
        <div role="alert">
          <Banner tone="information">{t.conflict}</Banner>
        </div>
      )}
      <div className={s.templates}>
        <Compact>
          <TemplateMenu query={templates} onPick={insert} />
          <Button kind="outline" id="inbox-templates" onClick={() => setManaging(true)}>
            {t.manageTemplates}
          </Button>
        </Compact>
      </div>
      <Field
        label={t.reply}
        id={replyId}
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
