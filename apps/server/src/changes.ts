import type { DeliveryChange } from "@marketday/contracts/admin/events";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import type { Deps } from "./deps.ts";
import { ANY_CHANGE, type CatalogueChange, type InventoryChange } from "./lib/cache.ts";
import { asCustomerId, asStaffId, type StaffId } from "./modules/identity/context.ts";
import { forgetPersonal } from "./modules/products/personal.ts";

/** The notifications of the database after which cached data is stale. */
export const CHANGE_CHANNELS = [
  "change",
  "inventory",
  "hubs",
  "session",
  "customer",
  "staff",
  "orders",
  "day",
  "audit",
];

const Delivery = z.object({ hubId: z.int(), deliveryId: z.int() });

const Change = z.object({
  kind: z.enum(["listing", "price", "review", "picture", "post", "banner", "bundle", "content"]),
  hubIds: z.array(z.int()).nullable(),
  productIds: z.array(z.int()),
});

/** What channel `change` carries. A payload of a later version that this one cannot read is a change of anything. */
function parseChange(payload: string): CatalogueChange {
  try {
    return Change.parse(JSON.parse(payload));
  } catch {
    return ANY_CHANGE;
  }
}

/** What channels `orders` and `day` carry; null for a payload of a later version that this one cannot read. */
function parseDelivery(payload: string): DeliveryChange | null {
  try {
    return Delivery.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

/** Sends a change to the staff's pages; they reread all when it cannot be read. */
function publish({ liveEvents }: FastifyInstance, name: "orders" | "day", payload: string): void {
  const change = parseDelivery(payload);
  if (change === null) liveEvents.reread();
  else liveEvents.publish(name, change);
}

/** Marks as stale what a notification of these channels says has changed. Other channels are ignored. */
export function applyChange(
  { app, deps }: { app: FastifyInstance; deps: Deps },
  channel: string,
  payload: string,
): void {
  // No data that is read from the replica depends on these.
  if (channel === "staff") return dropStaff(app, asStaffId(Number(payload)));
  if (channel === "orders" || channel === "day") return publish(app, channel, payload);
  if (channel === "audit") return app.liveEvents.auditWritten();
  noteChange(deps);
  if (channel === "change") {
    deps.cache.drop(parseChange(payload));
    app.liveEvents.productsChanged();
  } else if (channel === "inventory") deps.cache.dropInventory(JSON.parse(payload) as InventoryChange);
  else if (channel === "hubs") deps.cache.dropHubs();
  else if (channel === "session") app.dropSession(payload);
  else if (channel === "customer") forgetPersonal(deps, asCustomerId(Number(payload)));
}

/** Rereads a person's access, or (null) everyone's, also that of open event streams. */
function dropStaff(app: FastifyInstance, staffId: StaffId | null): void {
  app.dropStaff(staffId);
  app.liveEvents.staffChanged(staffId);
}

const noteChange = ({ replica }: Deps): void => void replica?.noteChange();

/**
 * Call it when the connection for notifications is lost: until `forgetCached`, what was cached before answers only while the database
 * is unavailable, and the replica not at all.
 */
export function suspendCached({ app, deps }: { app: FastifyInstance; deps: Deps }): void {
  deps.replica?.noteLoss();
  deps.cache.suspend();
  deps.personalCache.suspend();
  app.dropSession(null);
  dropStaff(app, null);
}

/** Forgets all cached data, because notifications were lost or none was received yet: from now on they are received. */
export function forgetCached({ app, deps }: { app: FastifyInstance; deps: Deps }): void {
  noteChange(deps);
  deps.cache.clear();
  deps.personalCache.clear();
  app.dropSession(null);
  dropStaff(app, null);
  app.liveEvents.reread();
}
