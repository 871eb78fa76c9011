import { useRef } from "react";

import { useFormDraft } from "../../lib/drafts.ts";
import type { Shortage } from "./api.ts";
import { type CountForm, type Draft, formOf, isSameForm } from "./count-form.ts";

const NONE: { drafts: Record<string, Draft> } = { drafts: {} };

export type Drafts = ReturnType<typeof useDrafts>;

/** What was typed on a day's screen and is not saved, by item: a reload, an ended session or another item that is opened loses nothing. */
export function useDrafts(hub: string, date: string) {
  const { values, put } = useFormDraft(`shorts-${hub}-${date}`, NONE);
  /** The newest, also for what began before the last change. */
  const latest = useRef(values.drafts);
  const set = (variantId: number, draft: Draft | null) => {
    const { [variantId]: _, ...others } = latest.current;
    latest.current = draft ? { ...others, [variantId]: draft } : others;
    put({ drafts: latest.current });
  };
  return {
    byItem: values.drafts,
    /** Begins or changes what is typed over the shortage as the person sees it. What equals it is no draft. */
    change: (variantId: number, saved: Shortage | undefined, next: Partial<CountForm>) => {
      const draft = latest.current[variantId] ?? { form: formOf(saved), over: saved?.version ?? null };
      const form = { ...draft.form, ...next };
      const isSaved = draft.over === (saved?.version ?? null) && isSameForm(form, formOf(saved));
      set(variantId, isSaved ? null : { ...draft, form });
    },
    /** The person keeps what is typed, over what is saved now. */
    keepOver: (variantId: number, version: number | null) => {
      const draft = latest.current[variantId];
      if (draft) set(variantId, { ...draft, over: version });
    },
    discard: (variantId: number) => set(variantId, null),
    /** A form was saved as a version: what was typed since it was sent stays, over that version. */
    settle: (variantId: number, sent: CountForm, version: number | null) => {
      const draft = latest.current[variantId];
      if (draft) set(variantId, isSameForm(draft.form, sent) ? null : { ...draft, over: version });
    },
  };
}
