/** For each state, the states that may follow. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>;

/** The states from which a transition leads to `to`, in the table's order. */
export function statesBefore<S extends string>(transitions: Transitions<S>, to: S): S[] {
  return (Object.keys(transitions) as S[]).filter((from) => transitions[from].includes(to));
}

/** The states that are not final: another transition may follow. */
export function openStates<S extends string>(transitions: Transitions<S>): S[] {
  return (Object.keys(transitions) as S[]).filter((from) => transitions[from].length > 0);
}
