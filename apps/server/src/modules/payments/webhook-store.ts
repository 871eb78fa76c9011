import type { Db } from "@marketday/db";

/** A provider's event, claimed: false when it was handled before. One that died half-way is handled again. */
export async function claimEvent(
  db: Db,
  { provider, id, type, now }: { provider: string; id: string; type: string; now: Date },
): Promise<boolean> {
  const event = { provider, event_id: id };
  const { count } = await db.webhook_event.createMany({
    data: [{ ...event, type, received_at: now }],
    skipDuplicates: true,
  });
  return count === 1 || (await db.webhook_event.count({ where: { ...event, processed_at: null } })) === 1;
}

export const finishEvent = (db: Db, provider: string, id: string, outcome: string, now: Date) =>
  db.webhook_event.updateMany({
    where: { provider, event_id: id, processed_at: null },
    data: { processed_at: now, outcome },
  });
