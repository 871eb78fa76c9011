/** The element at a place that must exist. Throws RangeError where there is none: a slip of ours, not an outcome. */
export function getOrThrow<T>(list: ArrayLike<T>, place: number): T {
  const element = list[place];
  if (element === undefined) throw new RangeError(`Nothing at place ${place} of ${list.length}`);
  return element;
}
