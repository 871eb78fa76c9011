import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { useMutation } from "@tanstack/react-query";

import * as t from "#messages/orders";

import { call } from "../../lib/api.ts";
import { formatTime } from "../day/format.ts";
import type { StaffNote } from "./open-form.ts";
import { Section } from "./section.tsx";
import { useVerb } from "./use-verb.ts";

import s from "./orders.module.css";

/** What the staff noted about a box, each with whom it is for; nothing without any. */
export function StaffNotes({ order, onEdit }: { order: OrderBox; onEdit: (note: StaffNote) => void }) {
  const now = useMarketNow();
  const verb = useVerb(order, () => undefined);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ note, what }: { note: StaffNote; what: "remove" | "send" }) => {
      const sent = { params: { id: order.id, note: note.id }, body: { expectedVersion: note.version } };
      const subject = { title: t.staffNotes, effect: note.text, action: t.removeNote };
      return verb.send({ what, ...sent }, subject, (idempotencyKey) =>
        what === "remove" ? call(calls.removeNote, sent) : call(calls.sendNote, sent, { idempotencyKey }),
      );
    },
  });
  const { staffNotes, hub, can } = order;
  if (staffNotes.length === 0) return null;
  const isRunning = (note: StaffNote, what: "remove" | "send") =>
    isPending && variables.note.id === note.id && variables.what === what;
  return (
    <Section id="order-notes" title={t.staffNotes} note={staffNotes.length}>
      {(error || verb.isChanged) && (
        <p className={s.failure} role="alert">
          {error ? messageOf(error) : t.verbConflict}
        </p>
      )}
      <ul className={s.notes}>
        {staffNotes.map((note) => (
          <li key={note.id} className={s.note}>
            <Icon name="memo" size="sm" />
            <div>
              <b>{t.noteKinds[note.kind]}</b>
              <p>{note.text}</p>
              <small>
                {[
                  note.by,
                  formatTime(note.editedAt ?? note.at, hub.timeZone, now),
                  note.editedAt !== null && t.noteEdited,
                ]
                  .filter(Boolean)
                  .join(", ")}
              </small>
              {can.note && (
                <div className={s.noteVerbs}>
                  <Compact size="sm">
                    <Button kind="link" aria-label={t.editNoteOf(note.text)} onClick={() => onEdit(note)}>
                      {t.editNote}
                    </Button>
                    <Button
                      kind="link"
                      aria-label={t.removeNoteOf(note.text)}
                      busy={isRunning(note, "remove") && t.removingNote}
                      onClick={() => {
                        if (!isPending) mutate({ note, what: "remove" });
                      }}
                    >
                      {t.removeNote}
                    </Button>
                    {note.kind === "shopper" && order.customer !== null && (
                      <Button
                        kind="link"
                        aria-label={t.sendNoteOf(note.text)}
                        busy={isRunning(note, "send") && t.holding}
                        onClick={() => {
                          if (!isPending) mutate({ note, what: "send" });
                        }}
                      >
                        {t.sendNote}
                      </Button>
                    )}
                  </Compact>
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
