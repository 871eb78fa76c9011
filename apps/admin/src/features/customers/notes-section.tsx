import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/customers";

import { call } from "../../lib/api.ts";
import { cacheAction, rereadActions } from "../actions/api.ts";
import { formatTime } from "../day/format.ts";
import { Section } from "../orders/section.tsx";
import { type Customer, customerQuery, rereadCustomer } from "./api.ts";
import { panelTitleId } from "./use-list-panel.ts";

import s from "./customers.module.css";

/** What the staff wrote about them, newest first; each can be removed, with Undo. */
export function NotesSection({ customer, zone }: { customer: Customer; zone: string }) {
  const { id, notes } = customer;
  const now = useMarketNow();
  const client = useQueryClient();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (note: number) => call(calls.removeCustomerNote, { params: { id, note } }),
    onSuccess: async (action) => {
      cacheAction(client, action);
      await client.invalidateQueries({ queryKey: customerQuery(String(id)).queryKey });
      // Its button is gone.
      document.getElementById(panelTitleId(String(id)))?.focus({ preventScroll: true });
    },
    onError: () => {
      rereadCustomer(client, id);
      void rereadActions(client);
    },
  });
  return (
    <Section id="customer-notes" title={t.notesTitle} note={notes.length > 0 && notes.length}>
      {error && (
        <p className={s.failure} role="alert">
          {messageOf(error)}
        </p>
      )}
      {notes.length === 0 ? (
        <p className={s.quiet}>{t.noNotes}</p>
      ) : (
        <ul className={s.notes}>
          {notes.map((note) => (
            <li key={note.id} className={s.note}>
              <p>{note.text}</p>
              <small>{t.noteBy(note.by, formatTime(note.at, zone, now))}</small>
              <Compact size="sm">
                <Button
                  kind="link"
                  aria-label={t.removeNoteLabel(note.text)}
                  busy={isPending && variables === note.id && t.removingNote}
                  disabled={isPending}
                  onClick={() => mutate(note.id)}
                >
                  {t.removeNote}
                </Button>
              </Compact>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
