import { useEffect } from "react";

import { queryClient } from "./query-client.ts";

const unsaved = new Set<object>();

/** Something on this screen is lost by a reload `when` true: typed text that is not sent, an edit that is not saved. */
export function useUnsaved(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    const work = {};
    unsaved.add(work);
    return () => void unsaved.delete(work);
  }, [when]);
}

/** Whether a reload would lose something: a running write, unsaved work, or an open frame (checkout). */
export const hasUnsavedWork = (): boolean =>
  queryClient.isMutating() > 0 || unsaved.size > 0 || document.querySelector("iframe") !== null;
