/**
 * Loads values one by one through one call: the ids that are requested before the next microtask are loaded together.
 * @param load called with at least one id
 * @returns the value of an id, or null when `load` did not return it
 */
export function batchById<T>(load: (ids: number[]) => Promise<T[]>, idOf: (value: T) => number) {
  let batch: { ids: number[]; byId: Promise<Map<number, T>> } | undefined;
  return async (id: number): Promise<T | null> => {
    if (!batch) {
      const ids: number[] = [];
      const start = async () => {
        batch = undefined;
        return new Map((await load(ids)).map((value) => [idOf(value), value]));
      };
      batch = { ids, byId: Promise.resolve().then(start) };
    }
    batch.ids.push(id);
    return (await batch.byId).get(id) ?? null;
  };
}
