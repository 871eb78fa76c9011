import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { GridOffer, LargeChange } from "@marketday/contracts/admin/offers";
import { readOfferCell } from "@marketday/domain/offer-cells";
import { toast } from "@marketday/ui/toast-store.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import * as t from "#messages/products";

import { call } from "../../lib/api.ts";
import { cacheAction } from "../actions/api.ts";
import { RequestKeys } from "../session/request-key.ts";
import { cacheOffers, refusalOf } from "./api.ts";
import { besideOf, type Draft, type Edit, type Note, type Notes } from "./draft.ts";

/** How long a saved cell shows its check, ms. */
const SAVED_MS = 2_000;
const NONE: ReadonlySet<string> = new Set();
const NO_NOTES: Notes = new Map();

const cellsOf = (draft: Draft) =>
  [...draft.values()].map(({ offerId, field, from, typed }: Edit) => {
    const read = readOfferCell(field, typed);
    return { offerId, field, from, to: "value" in read ? read.value : typed };
  });

/** The cell of the draft that an answer names. */
const keysOf = (draft: Draft): ReadonlyMap<string, string> =>
  new Map([...draft].map(([key, { offerId, field }]) => [`${offerId}:${field}`, key]));

function notesOf<Cell extends { offerId: number; field: string }>(
  draft: Draft,
  cells: readonly Cell[],
  note: (cell: Cell) => Pick<Note, "problem" | "conflict">,
): Notes {
  const keys = keysOf(draft);
  return new Map(
    cells.flatMap((cell) => {
      const key = keys.get(`${cell.offerId}:${cell.field}`);
      const edit = key === undefined ? undefined : draft.get(key);
      const beside = key === undefined ? [] : besideOf(draft, cell.offerId);
      return key !== undefined && edit ? [[key, { edit, beside, ...note(cell) }] as const] : [];
    }),
  );
}

interface Saving {
  /** It was saved; `offers` are the rows of now. */
  onSaved: (sent: Draft, offers: readonly GridOffer[]) => void;
  /** Keys of cells whose offers are no longer in the market. Nothing was saved. */
  onGone: (keys: readonly string[]) => void;
}

/** Saves a draft, all of it or nothing. */
export function useSave({ onSaved, onGone }: Saving) {
  const client = useQueryClient();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const [keys] = useState(() => new RequestKeys());
  const [notes, setNotes] = useState<Notes>(NO_NOTES);
  const [large, setLarge] = useState<{ draft: Draft; cells: LargeChange[]; fingerprint: string } | null>(null);
  const [failure, setFailure] = useState<{ draft: Draft; message: string } | null>(null);
  const [saved, setSaved] = useState(NONE);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ draft, acceptedChanges }: { draft: Draft; acceptedChanges: string | null }) => {
      const body = { cells: cellsOf(draft), acceptedChanges };
      return keys.run(body, (key) => call(calls.saveOffers, { body }, { idempotencyKey: key }));
    },
    onMutate: () => {
      setNotes(NO_NOTES);
      setFailure(null);
    },
    onSuccess: ({ action, offers }, { draft }) => {
      setLarge(null);
      // Announced by its toast.
      if (action) cacheAction(client, action);
      cacheOffers(client, offers);
      onSaved(draft, offers);
      const now = new Set(draft.keys());
      setSaved(now);
      setTimeout(() => setSaved((before) => (before === now ? NONE : before)), SAVED_MS);
    },
    onError: (error, { draft }) => {
      setLarge(null);
      const refusal = refusalOf(error);
      switch (refusal.kind) {
        case "conflict": {
          const byCell = keysOf(draft);
          const gone = refusal.cells.filter(({ isGone }) => isGone);
          setNotes(notesOf(draft, refusal.cells, ({ by, at }) => ({ problem: null, conflict: { by, at } })));
          onGone(gone.flatMap(({ offerId, field }) => byCell.get(`${offerId}:${field}`) ?? []));
          // The grid shows the values of now.
          void client.invalidateQueries({ queryKey: ["offers"] });
          break;
        }
        case "invalid":
          setNotes(notesOf(draft, refusal.cells, ({ message }) => ({ problem: message, conflict: null })));
          void client.invalidateQueries({ queryKey: ["offers"] });
          break;
        case "large":
          setLarge({ draft, ...refusal });
          return;
        case "other":
          break;
      }
      if (isShown.current) setFailure({ draft, message: messageOf(error) });
      else toast({ text: t.notSaved, tone: "error" });
    },
  });
  return {
    notes,
    /** Amounts to be confirmed. */
    large,
    /** Why a draft was not saved. */
    failureOf: (draft: Draft): string | null => (failure?.draft === draft ? failure.message : null),
    /** Keys of cells that were just saved. */
    saved,
    isSaving: isPending,
    save: (draft: Draft) => mutate({ draft, acceptedChanges: null }),
    /** Saves what is to be confirmed. */
    saveLarge: () => large && mutate({ draft: large.draft, acceptedChanges: large.fingerprint }),
    leaveLarge: () => setLarge(null),
  };
}
