/** Values a person changed in a form, each with the value of the account it was changed over. */
export type Changes<T> = { [K in keyof T]?: { value: T[K]; over: unknown } };

/** Whether two values of a form are equal. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * A form's values: `current` with the changes that still apply. A change gives way once the account's own value is not
 * the one it was made over (docs/product.md §17 "Kept drafts"). `account`: where that value is another than the form's.
 */
export function withChanges<T extends object>(
  current: T,
  changes: Changes<T>,
  account: Partial<Record<keyof T, unknown>> = {},
): T {
  const values = { ...current };
  for (const key of Object.keys(changes) as (keyof T)[]) {
    const change = changes[key];
    if (change && isSame(change.over, overOf(key, current, account))) values[key] = change.value;
  }
  return values;
}

/** The changes with `next` among them. A value put back to the account's own is no change. */
export function addChanges<T extends object>(
  changes: Changes<T>,
  next: Partial<T>,
  current: T,
  account: Partial<Record<keyof T, unknown>> = {},
): Changes<T> {
  const added = { ...changes };
  for (const key of Object.keys(next) as (keyof T)[]) {
    const value = next[key] as T[keyof T];
    if (isSame(value, current[key])) delete added[key];
    else added[key] = { value, over: overOf(key, current, account) ?? null };
  }
  return added;
}

const overOf = <T extends object>(key: keyof T, current: T, account: Partial<Record<keyof T, unknown>>): unknown =>
  (key in account ? account[key] : current[key]) ?? null;
