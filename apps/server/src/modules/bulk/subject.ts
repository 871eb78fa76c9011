import type { SelectedBox } from "./select-boxes.ts";

/** What an action on boxes of one hub is done to, as in the audit log, and their delivery day when it is one. */
export function subjectOf(boxes: readonly SelectedBox[]): { subject: string; deliveryId: number | null } {
  const [first] = boxes;
  const { id, hub_id: hubId, delivery_id: deliveryId } = first!;
  const isOneDay = boxes.every(({ delivery_id: day }) => day === deliveryId);
  const day = isOneDay ? `delivery:${deliveryId}` : `hub:${hubId}`;
  return { subject: boxes.length === 1 ? `order:${id}` : day, deliveryId: isOneDay ? deliveryId : null };
}
