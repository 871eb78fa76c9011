import { useReducer } from "react";

import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import type { Draft, Edit } from "./draft.ts";

const NAME = "draft:products";
/** Steps that can be taken back. */
const STEPS_MAX = 100;

interface History {
  past: readonly Draft[];
  draft: Draft;
  future: readonly Draft[];
}

type Step =
  /** Something was typed. */
  | { kind: "change"; to: (draft: Draft) => Draft }
  /** What was saved or stored by others left the draft: it is no step to take back. */
  | { kind: "settle"; to: (draft: Draft) => Draft }
  | { kind: "undo" }
  | { kind: "redo" };

function keep(draft: Draft): void {
  if (draft.size === 0) removeItem("session", NAME);
  else setItem("session", NAME, [...draft]);
}

function reduce(history: History, step: Step): History {
  const { past, draft, future } = history;
  switch (step.kind) {
    case "change": {
      const to = step.to(draft);
      return to === draft ? history : { past: [...past, draft].slice(-STEPS_MAX), draft: to, future: [] };
    }
    case "settle": {
      const to = step.to(draft);
      return to === draft ? history : { past: [], draft: to, future: [] };
    }
    case "undo": {
      const before = past.at(-1);
      return before ? { past: past.slice(0, -1), draft: before, future: [draft, ...future] } : history;
    }
    case "redo": {
      const [next, ...others] = future;
      return next ? { past: [...past, draft], draft: next, future: others } : history;
    }
  }
}

const readKept = (): Draft => new Map(getItem<[string, Edit][]>("session", NAME) ?? []);

/** Settles the draft that is kept in this tab, for a save whose answer comes after the page was left. */
export const settleKept = (to: (draft: Draft) => Draft): void => keep(to(readKept()));

/** What was changed in the grid and not saved yet. It is kept in this tab: a reload, or a way out and back, loses nothing. */
export function useDraft() {
  const [history, dispatch] = useReducer(
    (before: History, step: Step) => {
      const next = reduce(before, step);
      if (next.draft !== before.draft) keep(next.draft);
      return next;
    },
    null,
    (): History => ({ past: [], draft: readKept(), future: [] }),
  );
  return {
    draft: history.draft,
    change: (to: (draft: Draft) => Draft) => dispatch({ kind: "change", to }),
    settle: (to: (draft: Draft) => Draft) => dispatch({ kind: "settle", to }),
    undo: () => dispatch({ kind: "undo" }),
    redo: () => dispatch({ kind: "redo" }),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}
