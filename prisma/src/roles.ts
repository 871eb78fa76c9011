import pg from "pg";

/** A role that lacks a right, or cannot be given it; the message explains in a sentence what to do. */
export class RoleError extends Error {}

const INSUFFICIENT_PRIVILEGE = "42501";

/** What `planGrants` found. */
export interface GrantPlan {
  role: string;
  /** Every statement of the grant, in order, without semicolons; run together in one transaction. */
  statements: string[];
  /** Whether the role has exactly these rights already. */
  isDone: boolean;
  /** Sentences about rights that come from elsewhere (superuser, ownership, PUBLIC) and that the grant cannot take away. */
  excess: string[];
}

/** Tables, sequences and functions of the market: everything outside Postgres's own schemas that no extension made. */
const ours = (catalog: "pg_class" | "pg_proc" | "pg_namespace", alias: string): string =>
  `not exists (select 1 from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${alias}.oid and d.deptype = 'e')`;
const ourSchema = "n.nspname !~ '^pg_' and n.nspname <> 'information_schema'";

/**
 * What the server's role may do with each table and sequence. A table whose updates or deletes a trigger refuses always
 * (`append_only`: ledger, audit) is not granted them either. `_prisma_migrations` is read only.
 */
const wanted = `
  select c.oid, c.relkind, c.relacl, c.relowner, format('%I.%I', n.nspname, c.relname) as name,
    case when c.relkind = 'S' then array['USAGE', 'SELECT', 'UPDATE']
      when c.relname = '_prisma_migrations' then array['SELECT']
      else array['SELECT', 'INSERT'] || case when frozen.events & 16 = 0 then array['UPDATE'] else array[]::text[] end
        || case when frozen.events & 8 = 0 then array['DELETE'] else array[]::text[] end end as rights
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join lateral (select coalesce(bit_or(t.tgtype), 0)::int as events from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = c.oid and p.proname = 'append_only' and t.tgqual is null and t.tgenabled <> 'D') frozen
  where c.relkind in ('r', 'p', 'S') and ${ourSchema} and ${ours("pg_class", "c")}`;

/** What a role cannot do and should, in words such as "update public.orders"; at most one per object. */
const missing = `
  select 'use schema ' || quote_ident(n.nspname) as lacks from pg_namespace n
  where ${ourSchema} and ${ours("pg_namespace", "n")} and not has_schema_privilege($1::name, n.oid, 'USAGE')
    and exists (select 1 from pg_class c where c.relnamespace = n.oid)
  union all
  select 'make temporary tables' where not has_database_privilege($1::name, current_database(), 'TEMPORARY')
  union all
  select lower(string_agg(r, ', ')) || ' ' || w.name from (${wanted}) w cross join unnest(w.rights) r
  where case when w.relkind = 'S' then not has_sequence_privilege($1::name, w.oid, r) else not has_table_privilege($1::name, w.oid, r) end
  group by w.name
  union all
  select 'execute ' || f.oid::regprocedure::text from pg_proc f join pg_namespace n on n.oid = f.pronamespace
  where ${ourSchema} and ${ours("pg_proc", "f")} and not has_function_privilege($1::name, f.oid, 'EXECUTE')`;

async function findMissing(client: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await client.query<{ lacks: string }>(missing, [role]);
  return rows.map(({ lacks }) => lacks);
}

/**
 * Checks that the connection's own role may do what the server does.
 * @throws RoleError that names the first missing right and the command that grants it
 */
export async function requireServerRights(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ role: string }>("select current_user as role");
  const role = rows[0]!.role;
  const lacks = await findMissing(client, role);
  if (lacks.length === 0) return;
  const more = lacks.length > 1 ? ` and ${lacks.length - 1} more` : "";
  throw new RoleError(
    `The database role "${role}" lacks rights that the market needs (${lacks[0]}${more}): run ./market database grant ${role} with MIGRATE_DATABASE_URL set to the address of the role that owns the tables.`,
  );
}

interface Facts {
  me: string;
  /** Another role that owns some of the tables and of which `me` is not a member. */
  owner: string | null;
  migrated: boolean;
  found: boolean;
  superuser: boolean;
  owns: boolean;
  /** Schemas in which it may create tables by a right that is not its own. */
  creates: string[];
  database: string;
  version: number;
}

async function readFacts(client: pg.ClientBase, role: string): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_user::text as me, current_database()::text as database, current_setting('server_version_num')::int as version,
       to_regclass('public._prisma_migrations') is not null as migrated, r.oid is not null as found,
       coalesce(r.rolsuper, false) as superuser,
       (select pg_get_userbyid(min(w.relowner::bigint)::oid) from (${wanted}) w where not pg_has_role(current_user, w.relowner, 'USAGE')) as owner,
       r.oid is not null and exists (select 1 from (${wanted}) w where pg_has_role(r.oid, w.relowner, 'MEMBER')) as owns,
       case when r.oid is null then array[]::text[] else array(select n.nspname::text from pg_namespace n where ${ourSchema} and has_schema_privilege(r.oid, n.oid, 'CREATE')
         and not exists (select 1 from aclexplode(n.nspacl) a where a.grantee = r.oid and a.privilege_type = 'CREATE') order by 1) end as creates
     from (select 1) one left join pg_roles r on r.rolname = $1`,
    [role],
  );
  return rows[0]!;
}

/** Rights that were granted to the role and that the server does not use (`truncate`, or updating the ledger). */
const tooMuch = `
  select 1 from (${wanted}) w cross join lateral aclexplode(w.relacl) a join pg_roles r on r.oid = a.grantee
  where r.rolname = $1 and a.privilege_type <> 'MAINTAIN' and not a.privilege_type = any(w.rights)
  union all
  select 1 from pg_namespace n cross join lateral aclexplode(n.nspacl) a join pg_roles r on r.oid = a.grantee
  where r.rolname = $1 and a.privilege_type = 'CREATE' and ${ourSchema}
  limit 1`;

const later = `
  select count(*)::int as count from pg_default_acl d cross join lateral aclexplode(d.defaclacl) a join pg_roles r on r.oid = a.grantee
  where d.defaclrole = current_user::regrole and d.defaclnamespace = 0 and r.rolname = $1
    and (d.defaclobjtype, a.privilege_type) in (('r', 'SELECT'), ('r', 'INSERT'), ('r', 'UPDATE'), ('r', 'DELETE'), ('S', 'USAGE'), ('S', 'SELECT'), ('S', 'UPDATE'), ('f', 'EXECUTE'), ('n', 'USAGE'))`;
const LATER = 9;

async function list(client: pg.ClientBase, text: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text, values);
  return rows.map(({ name }) => name);
}

/**
 * The statements that grant a role exactly what the server and its commands need in the connection's database, on existing objects
 * and on those of later migrations by the same owner. Changes nothing.
 * @param client connected as the role that owns the tables
 * @throws RoleError when there is no such role, or the connection's role does not own the tables
 */
async function planGrants(client: pg.ClientBase, role: string): Promise<GrantPlan> {
  const facts = await readFacts(client, role);
  if (!facts.found) {
    throw new RoleError(
      `There is no database role "${role}". Create it first, in psql: create role ${client.escapeIdentifier(role)} login password '…';`,
    );
  }
  if (!facts.migrated) throw new RoleError("The database is empty, so there is nothing to grant rights on yet.");
  if (facts.owner !== null) {
    throw new RoleError(
      `The database role "${facts.me}" may not grant rights: tables belong to "${facts.owner}". Set MIGRATE_DATABASE_URL to that role's address.`,
    );
  }
  if (role === facts.me || facts.superuser || facts.owns) {
    const why = facts.superuser ? "is a superuser" : "owns the tables";
    throw new RoleError(
      `The database role "${role}" ${why}, so it may do everything already. Create another role for the server, and grant that one its rights.`,
    );
  }
  const schemas = await list(
    client,
    `select quote_ident(n.nspname) as name from pg_namespace n where ${ourSchema} and ${ours("pg_namespace", "n")}
       and exists (select 1 from pg_class c where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'S')) order by n.nspname`,
  );
  const withheld = (right: string): Promise<string[]> =>
    list(
      client,
      `select w.name from (${wanted}) w where w.relkind <> 'S' and not $1 = any(w.rights) and w.name <> 'public._prisma_migrations' order by 1`,
      [right],
    );
  const [noUpdate, noDelete] = [await withheld("UPDATE"), await withheld("DELETE")];
  const functions = await list(
    client,
    `select f.oid::regprocedure::text as name from pg_proc f join pg_namespace n on n.oid = f.pronamespace
     where ${ourSchema} and ${ours("pg_proc", "f")} and not has_function_privilege($1::name, f.oid, 'EXECUTE') order by 1`,
    [role],
  );
  const to = client.escapeIdentifier(role);
  const everywhere = schemas.join(", ");
  // From Postgres 17 on, statistics may be updated by a role that does not own the table.
  const rows = `select, insert, update, delete${facts.version >= 170_000 ? ", maintain" : ""}`;
  const statements = [
    `revoke all on all tables in schema ${everywhere} from ${to}`,
    `revoke all on all sequences in schema ${everywhere} from ${to}`,
    `revoke all on schema ${everywhere} from ${to}`,
    `grant connect, temporary on database ${client.escapeIdentifier(facts.database)} to ${to}`,
    `grant usage on schema ${everywhere} to ${to}`,
    `grant ${rows} on all tables in schema ${everywhere} to ${to}`,
    `grant usage, select, update on all sequences in schema ${everywhere} to ${to}`,
    ...functions.map((name) => `grant execute on function ${name} to ${to}`),
    `revoke insert, update, delete on public._prisma_migrations from ${to}`,
    ...(noUpdate.length > 0 ? [`revoke update on ${noUpdate.join(", ")} from ${to}`] : []),
    ...(noDelete.length > 0 ? [`revoke delete on ${noDelete.join(", ")} from ${to}`] : []),
    `alter default privileges grant usage on schemas to ${to}`,
    `alter default privileges grant ${rows} on tables to ${to}`,
    `alter default privileges grant usage, select, update on sequences to ${to}`,
    `alter default privileges grant execute on functions to ${to}`,
  ];
  const [lacks, exceeds, forLater] = [
    await findMissing(client, role),
    await client.query(tooMuch, [role]),
    await client.query<{ count: number }>(later, [role]),
  ];
  return {
    role,
    statements,
    isDone: lacks.length === 0 && exceeds.rows.length === 0 && forLater.rows[0]?.count === LATER,
    excess: facts.creates.map(
      (name) =>
        `It may still create tables in schema ${name}, because another role it belongs to, or every role, may. For every role: revoke create on schema ${client.escapeIdentifier(name)} from public;`,
    ),
  };
}

/** How a grant is made. */
export interface GrantOptions {
  /** Everything is checked and listed, and nothing is changed. */
  dryRun?: boolean;
  /** The role is created when there is none; `password` null: it signs in without one (peer, certificate). */
  create?: { password: string | null };
}

/**
 * Creates the role when there is none.
 * @returns the statement without the password; null when the role exists
 */
async function createRole(client: pg.ClientBase, role: string, password: string | null): Promise<string | null> {
  const found = await client.query("select 1 from pg_roles where rolname = $1", [role]);
  if (found.rows.length > 0) return null;
  const statement = `create role ${client.escapeIdentifier(role)} login`;
  try {
    await client.query(password === null ? statement : `${statement} password ${client.escapeLiteral(password)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new RoleError(
      `The role of MIGRATE_DATABASE_URL may not create roles. Create it in psql as a superuser: ${statement} password '…';`,
    );
  }
  return password === null ? statement : `${statement} password '…'`;
}

/**
 * Gives a role what the server needs, in one transaction; nothing when it has exactly that. The caller holds the
 * migrations' lock: Postgres refuses two grants on one table at the same moment.
 * @throws RoleError
 */
export async function grantServerRole(
  client: pg.ClientBase,
  role: string,
  { dryRun = false, create }: GrantOptions = {},
): Promise<GrantPlan> {
  await client.query("begin");
  try {
    const created = create === undefined ? null : await createRole(client, role, create.password);
    const plan = await planGrants(client, role);
    if (!plan.isDone && !dryRun) {
      for (const statement of plan.statements) await client.query(statement);
      const lacks = await findMissing(client, role);
      if (lacks.length > 0) {
        throw new RoleError(
          `The rights of the database role "${role}" could not be granted whole (${lacks.join(", ")}): a superuser or the owner of the database must grant these. Nothing was changed.`,
        );
      }
    }
    await client.query(dryRun ? "rollback" : "commit");
    return created === null ? plan : { ...plan, statements: [created, ...plan.statements] };
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/**
 * Gives the server's role what it needs when a server or a command starts. A role that owns tables itself needs nothing, and
 * one that lacks nothing is left as it is where tables belong to several roles.
 * @throws RoleError
 */
export async function ensureServerRole(client: pg.ClientBase, role: string): Promise<void> {
  const { found, owns, owner } = await readFacts(client, role);
  const isEnough = found && (owns || owner !== null) && (await findMissing(client, role)).length === 0;
  if (!isEnough) await grantServerRole(client, role);
}

/** The role of a connection string, from it or from the environment (PGUSER). */
export const roleOf = (url: string): string | undefined => new pg.Client({ connectionString: url }).user;
