/** Boxes of a day that are chosen, and the one that was chosen last: a range begins there. */
export interface BoxSelection {
  ids: ReadonlySet<number>;
  anchor: number | null;
}

export const NO_BOXES: BoxSelection = { ids: new Set(), anchor: null };

/** A box is chosen or no longer; or all from the last one to it are chosen, as far as both are in the list. */
export function toggleBox(
  { ids, anchor }: BoxSelection,
  shown: readonly number[],
  id: number,
  isRange: boolean,
): BoxSelection {
  const next = new Set(ids);
  const [from, to] = [anchor === null ? -1 : shown.indexOf(anchor), shown.indexOf(id)];
  if (isRange && from !== -1 && to !== -1)
    for (const each of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
  else if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** All boxes of the list are chosen; when they were, none of them. */
export function toggleBoxes({ ids, anchor }: BoxSelection, shown: readonly number[]): BoxSelection {
  const areAll = shown.every((id) => ids.has(id));
  return { ids: new Set(areAll ? [] : shown), anchor };
}
