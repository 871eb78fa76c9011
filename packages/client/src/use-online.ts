import { useSyncExternalStore } from "react";

/** Whether the device believes it has a network. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (change) => {
      addEventListener("online", change);
      addEventListener("offline", change);
      return () => {
        removeEventListener("online", change);
        removeEventListener("offline", change);
      };
    },
    () => navigator.onLine,
  );
