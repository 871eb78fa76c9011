import { cacheAnswer } from "@marketday/client/query-client.ts";
import type { DayDoor } from "@marketday/contracts/admin/door";
import type { QueryClient } from "@tanstack/react-query";

import { doorQuery } from "./api.ts";

/** Of the writes to a day: how many are on their way, and how many have begun since the page was loaded. */
interface Writes {
  running: number;
  begun: number;
}
const days = new Map<string, Writes>();

/** An answer, and whether no other write to the day was on its way at the same time: its day is the newest then. */
interface Answered<T> {
  answer: T;
  isNewest: boolean;
}

/** Sends a write that answers with the day. */
export async function writeDoor<T>(hub: string, date: string, write: () => Promise<T>): Promise<Answered<T>> {
  const key = `${hub} ${date}`;
  const writes = days.get(key) ?? { running: 0, begun: 0 };
  days.set(key, writes);
  const wasAlone = writes.running === 0;
  writes.running += 1;
  writes.begun += 1;
  const { begun } = writes;
  try {
    const answer = await write();
    return { answer, isNewest: wasAlone && writes.begun === begun };
  } finally {
    writes.running -= 1;
  }
}

/** Shows the day of an answer; reads it instead when the answer of another write may be the newer one. */
export async function showDoor(client: QueryClient, hub: string, date: string, door: Answered<DayDoor>): Promise<void> {
  const { queryKey } = doorQuery(hub, date);
  if (door.isNewest) cacheAnswer<DayDoor>(client, queryKey, door.answer);
  else await client.invalidateQueries({ queryKey });
}
