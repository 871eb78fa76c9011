/** Runs instead of leaving; `leave` leaves after all. */
type OnLeave = (leave: () => void) => void;

/** The entry's place in the history, as the router counts it. */
const indexOf = (state: unknown): number | null => {
  const index = typeof state === "object" && state !== null && "idx" in state ? state.idx : null;
  return typeof index === "number" ? index : null;
};

/**
 * Keeps what is on screen while something runs there that must not be cut off without a confirmation. To be created before the
 * router listens to the history: listeners of the window run in the order they were added.
 */
export function createLeaveGuard() {
  /** `at`: the guarded entry. */
  let current: { onLeave: OnLeave; at: number | null } | null = null;
  const confirm = (onLeave: OnLeave, leave: () => void) =>
    onLeave(() => {
      current = null;
      leave();
    });
  // The browser's Back has left the entry by now: the router does not see it, and the entry is restored.
  addEventListener("popstate", (event) => {
    if (!current) return;
    event.stopImmediatePropagation();
    const { onLeave, at } = current;
    const to = indexOf(event.state);
    if (to === at) return;
    const by = to === null || at === null ? -1 : to - at;
    history.go(-by);
    confirm(onLeave, () => history.go(by));
  });
  return {
    /** Leaves, or, while guarded, confirms first. */
    leaveBy: (leave: () => void): void => (current ? confirm(current.onLeave, leave) : leave()),
    /** From now on leaving runs `onLeave`. Returns what ends it. */
    guard: (onLeave: OnLeave): (() => void) => {
      const entry = { onLeave, at: indexOf(history.state) };
      current = entry;
      return () => {
        if (current === entry) current = null;
      };
    },
  };
}
