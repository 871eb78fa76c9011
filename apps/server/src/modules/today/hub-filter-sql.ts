import { join, type Sql, sql } from "@marketday/db";

/** Markets: all of them, or those with these ids. */
export type HubScope = "all" | readonly number[];

/** Hubs that are read: those of the scope, and only the one that was requested (slug or id). */
export interface HubFilter {
  scope: HubScope;
  hub: string | null;
}

/** The condition that the hub with this id is in a scope. */
export const inScope = (hubId: Sql, scope: HubScope): Sql =>
  scope === "all" ? sql`true` : sql`${hubId} = any(${[...scope]}::int[])`;

/** The condition that hub `h` meets a filter. */
export const meets = (h: Sql, { scope, hub }: HubFilter): Sql =>
  join(
    [inScope(sql`${h}.id`, scope), hub === null ? sql`true` : sql`(${h}.slug = ${hub} or ${h}.id::text = ${hub})`],
    " and ",
  );

/** Whether a filter leaves any hub. */
export const isRead = ({ scope }: HubFilter): boolean => scope === "all" || scope.length > 0;
