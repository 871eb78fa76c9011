import type { Me } from "@marketday/contracts/admin/session";

import { paths } from "../../lib/paths.ts";
import { hasPermission } from "../session/api.ts";

/** The screen of a delivery day with which a person begins: the day itself, or its boxes without `day.run`. Null: the person sees neither. */
export function dayScreen(
  me: Pick<Me, "permissions">,
  { hub, day }: { hub: { id: number; slug: string }; day: string },
): string | null {
  if (hasPermission(me, "day.run", hub.id)) return paths.day(hub.slug, day);
  return hasPermission(me, "orders.read", hub.id) ? paths.boxes(hub.slug, day) : null;
}
