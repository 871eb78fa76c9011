import type { Client } from "@marketday/db";

/** The hubs that a person may see, by name; those that are not published are among them. */
export const findHubsOfStaff = (db: Client, which: "all" | readonly number[]) =>
  db.hub.findMany({
    where: which === "all" ? {} : { id: { in: [...which] } },
    select: { id: true, slug: true, name: true, time_zone: true, delivery_day: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
