import { Button } from "@marketday/ui/button.tsx";

import s from "./stale-notice.module.css";

interface Query {
  data: unknown;
  error: Error | null;
  /** When what is shown arrived, ms. */
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Above a list that could not be read again: what it had stays, from when it is, and a way to ask again. */
export function StaleNotice({ query }: { query: Query }) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = query;
  if (!error || data === undefined) return null;
  const at = new Date(dataUpdatedAt).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" });
  return (
    <p className={s.stale} role="status">
      Showing what we had at {at}.{" "}
      <Button kind="link" busy={isFetching && "Retrying…"} onClick={() => void refetch()}>
        Retry
      </Button>
    </p>
  );
}
