import { useCallback, useLayoutEffect, useRef, useState } from "react";

/**
 * State that belongs to a filter, given as text: with another one it is `none`. A change that was begun with an earlier filter is
 * dropped; `set` returns whether it was made.
 */
export function useFilterState<T>(filter: string, none: T) {
  const [state, setState] = useState({ filter, value: none });
  // A filter that comes back does not bring it back.
  if (state.filter !== filter) setState({ filter, value: none });
  const current = useRef(filter);
  useLayoutEffect(() => {
    current.current = filter;
  }, [filter]);
  const set = useCallback(
    (change: (before: T) => T): boolean => {
      if (current.current !== filter) return false;
      setState((before) => ({ filter, value: change(before.filter === filter ? before.value : none) }));
      return true;
    },
    [filter, none],
  );
  return [state.filter === filter ? state.value : none, set] as const;
}
