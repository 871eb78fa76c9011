import { useEffect } from "react";

import { queryClient } from "./query-client.ts";

const unsaved = new Set<object>();

/** Something on this screen is lost by a reload `when` true: typed text that is not sent, an edit that is not saved, an open frame. */
export function useUnsaved(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    const work = {};
    unsaved.add(work);
    return () => void unsaved.delete(work);
  }, [when]);
}

/** Whether a reload would lose something: a running write or unsaved work. */
export const hasUnsavedWork = (): boolean => queryClient.isMutating() > 0 || unsaved.size > 0;
