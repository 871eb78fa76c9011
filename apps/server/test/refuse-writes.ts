import { type Db, execute, raw, sql } from "@marketday/db";

/** Makes Postgres refuse a write until the returned function is called. `condition`: on the row `new`. */
export async function refuseWrites(db: Db, table: string, condition: string): Promise<() => Promise<unknown>> {
  await execute(
    db,
    sql`create function refuse() returns trigger language plpgsql as $$ begin
          if ${raw(condition)} then raise exception 'This row is broken.'; end if;
          return new; end $$`,
  );
  await execute(
    db,
    sql`create trigger refuse before insert or update on ${raw(table)} for each row execute function refuse()`,
  );
  return () => execute(db, sql`drop function refuse cascade`);
}
