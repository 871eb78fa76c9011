-- Written by hand: what Prisma's datamodel cannot say.

-- A bundle is shown by the hubs that offer it. Its rows in `bundle_hub` notify of their own hubs, before and after.
create function notify_bundles_changed() returns trigger language plpgsql as $$
declare bundles int[];
begin
  execute format('select array_agg(distinct id) from (select %1$I as id from written %2$s) as rows', tg_argv[0],
    case tg_op when 'UPDATE' then format('union all select %I from former', tg_argv[0]) end) into bundles;
  if bundles is not null then
    perform notify_change('bundle', array(select distinct hub_id from bundle_hub where bundle_id = any(bundles)), '{}');
  end if;
  return null;
end $$;

-- Every hub shows the names of the published hubs that sell what it does not sell itself. The rest of the row, as its boundaries,
-- is shown by the hub alone. A new hub sells nothing yet.
create function notify_hubs_changed() returns trigger language plpgsql as $$
declare hubs int[] := (select array_agg(id) from written);
begin
  if hubs is null then return null; end if;
  if tg_op = 'DELETE' then
    hubs := null;
  elsif tg_op = 'UPDATE' then
    if exists (select 1 from written n join former o on o.id = n.id
        where (n.name, n.is_published) is distinct from (o.name, o.is_published)) then
      hubs := null;
    end if;
  end if;
  perform notify_change('listing', hubs, '{}');
  return null;
end $$;

do $$
declare
  of_table record;
  op record;
begin
  for of_table in
    select * from (values
      ('hub', 'notify_hubs_changed()'),
      ('bundle', 'notify_bundles_changed(''id'')'),
      ('bundle_item', 'notify_bundles_changed(''bundle_id'')'),
      ('bundle_hub', 'notify_hub_rows_changed(''bundle'')')) as t (name, call)
  loop
    for op in
      select * from (values ('insert', 'new table as written'), ('update', 'old table as former new table as written'), ('delete', 'old table as written')) as o (name, tables)
    loop
      execute format('drop trigger %I on %I', of_table.name || '_notify_' || op.name, of_table.name);
      execute format('create trigger %I after %s on %I referencing %s for each statement execute function %s',
        of_table.name || '_notify_' || op.name, op.name, of_table.name, op.tables, of_table.call);
    end loop;
  end loop;
end $$;
