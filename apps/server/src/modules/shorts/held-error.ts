import { formatClock } from "@marketday/domain/order";

import { AppError } from "../../lib/app-error.ts";
import type { ShortageRow } from "./store.ts";

/** 409: the shortage is about to be settled, or is being settled. */
export function held({ came, of, action }: ShortageRow, item: { title: string; timeZone: string }): AppError {
  const by = action?.staff.name ?? "Someone";
  const dueAt = action?.due_at ?? null;
  const when = dueAt !== null && action?.state === "held" ? `at ${formatClock(dueAt, item.timeZone)}` : "now";
  return new AppError(
    409,
    `${by} settles ${came} of ${of} ${item.title} ${when}. Undo that first, or wait until it is done. Nothing was done.`,
    { code: "held" },
  );
}

/** 409: someone else has counted, changed, settled or removed it. `current` is added where it is answered. */
export const countedSince = (title: string): AppError =>
  new AppError(409, `Someone else has counted ${title} in the meantime. Check their number and try again.`, {
    code: "conflict",
  });
