import { useState } from "react";

import { orCartFull } from "../../lib/api.ts";

/**
 * One change at a time. Until it is saved the new value shows and all controls rest; when it is refused the old one
 * shows again, with the sentence.
 */
export function useSaving() {
  const [saving, setSaving] = useState<{ key: string; value: unknown } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const save = async (key: string, value: unknown, run: () => Promise<void>, wording: string): Promise<boolean> => {
    if (saving) return false;
    setSaving({ key, value });
    setError(null);
    try {
      await run();
      return true;
    } catch (failure) {
      setError(orCartFull(failure, wording));
      return false;
    } finally {
      setSaving(null);
    }
  };
  /** What a control shows: its new value while that is being saved. */
  const shown = <T>(key: string, value: T): T => (saving?.key === key ? (saving.value as T) : value);
  return { isSaving: saving !== null, error, save, shown };
}
export type Saving = ReturnType<typeof useSaving>;
