import { type Db, execute, sql } from "@marketday/db";

/**
 * Fills the tables of the floor server from the market's, in the schema `floor` of the same database: the plainest tables that can
 * show a catalogue, keep a cart and take an order.
 */
export async function fillFloor(db: Db): Promise<void> {
  const statements = [
    sql`create schema floor`,
    sql`create table floor.product (id int primary key, title text not null, description text not null, vendor text not null,
          picture text, price_cents int not null, stock int not null, collection_id int not null, words tsvector not null)`,
    sql`insert into floor.product
        select p.id, p.title, p.description, ve.name, pp.picture_id, o.price_cents, o.inventory, cp.collection_id,
          setweight(to_tsvector('english', p.title), 'A') || to_tsvector('english', ve.name || ' ' || p.description)
        from product p join vendor ve on ve.id = p.vendor_id join variant v on v.product_id = p.id and v.position = 0
        join offer o on o.variant_id = v.id join product_picture pp on pp.product_id = p.id and pp.position = 0
        join collection_product cp on cp.product_id = p.id`,
    sql`create index on floor.product (collection_id, id)`,
    sql`create index on floor.product using gin (words)`,
    sql`create table floor.session (id uuid primary key)`,
    sql`create table floor.cart_item (session_id uuid not null references floor.session (id), product_id int not null references floor.product (id),
          quantity int not null, primary key (session_id, product_id))`,
    sql`create table floor.orders (id serial primary key, session_id uuid not null, total_cents int not null, created_at timestamptz not null default now())`,
    sql`create table floor.order_item (order_id int not null references floor.orders (id), product_id int not null references floor.product (id),
          quantity int not null, price_cents int not null, primary key (order_id, product_id))`,
    sql`insert into floor.session select id from session`,
    sql`analyze floor.product`,
  ];
  for (const statement of statements) await execute(db, statement);
}
