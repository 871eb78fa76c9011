/**
 * Rows to insert, by column name. Dates are `YYYY-MM-DD`, instants ISO-8601 UTC, money integer cents. Rows have ids, so that
 * they can refer to each other before they are inserted.
 */
export interface PictureRow {
  id: string;
  alt: string;
  thumbhash: string;
  /** `{id}-{name}`, as imports name it. */
  file: string;
}
export interface HubRow {
  id: number;
  slug: string;
  name: string;
  description: string;
  delivery_day: string;
  time_zone: string;
  delivery_fee_cents: number | null;
  tax_rate_ppm: number;
  processing_ppm: number;
  processing_fixed_cents: number;
  commission_ppm: number;
  zip_code: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
  boundaries: string[];
}
export interface PickupRow {
  id: number;
  hub_id: number;
  name: string;
  address: string;
  city: string;
  state: string;
  zip_code: string;
  hours: string;
}
export interface DeliveryRow {
  id: number;
  hub_id: number;
  day: string;
  cutoff_at: string;
  auto_checkout_at: string;
}
export interface VendorRow {
  id: number;
  slug: string;
  hash: string;
  name: string;
  city: string;
  state: string;
  description: string;
  email: string;
  avatar_id: string;
  hero_id: string;
  created_at: string;
}
export interface ProductRow {
  id: number;
  slug: string;
  vendor_id: number;
  title: string;
  description: string;
  new_description: string | null;
  tags: string[];
  badge: number | null;
  ribbon_type: string | null;
  ribbon_text: string | null;
  discount_notes: string | null;
  origin_country: string | null;
  origin_state: string | null;
  origin_county: string | null;
  processor: string | null;
  ingredients: string | null;
  storage: "dry" | "cold" | "frozen";
  created_at: string;
}
export interface VariantRow {
  id: number;
  product_id: number;
  title: string;
  position: number;
  unit: string | null;
  measure: string | null;
  measure_amount: number | null;
  pre_order_date: string | null;
}
export interface OfferRow {
  id: number;
  variant_id: number;
  hub_id: number;
  price_cents: number;
  sale_price_cents: number | null;
  inventory: number;
  weekly_inventory: number | null;
  is_published: boolean;
  published_at: string;
  sold_out_at: string | null;
  restocked_at: string | null;
  on_sale_since: string | null;
}
export interface CollectionRow {
  id: number;
  slug: string;
  title: string;
  description: string;
  image_id: string;
  parent_id: number | null;
  position: number;
  show_in_collections: boolean;
  show_in_main_menu: boolean;
}
export interface CustomerRow {
  id: number;
  email: string;
  password_hash: string | null;
  first_name: string;
  last_name: string;
  handle: string | null;
  zip_code: string;
  hub_id: number;
  avatar_id: string | null;
  is_gluten_free: boolean;
  is_vegan: boolean;
  subscribed_marketing_emails: boolean;
  auto_checkout_status: 0 | 1 | 2;
  default_tip: 0 | 5 | 10 | 20;
  credit_cents: number;
  created_at: string;
}
export interface AddressRow {
  id: number;
  customer_id: number;
  address: string;
  city: string;
  state: string;
  zip_code: string;
  instructions: string;
  is_default: boolean;
  created_at: string;
}
export interface OrderRow {
  id: number;
  customer_id: number;
  hub_id: number;
  delivery_id: number;
  status: "future" | "open" | "pending" | "closed";
  type: "delivery" | "pickup";
  source: "checkout" | "auto";
  pickup_point_id: number | null;
  address: Record<string, string> | null;
  delivery_notes: string;
  tip_percentage: 0 | 5 | 10 | 20;
  items_cents: number;
  tip_cents: number;
  tax_cents: number;
  tax_rate_ppm: number;
  card_fee_cents: number;
  delivery_fee_cents: number;
  discount_cents: number;
  order_total_cents: number;
  credit_cents: number;
  payment_id: string;
  created_at: string;
  closed_at: string | null;
}
export interface OrderItemRow {
  id: number;
  order_id: number;
  variant_id: number;
  vendor_id: number;
  product_title: string;
  variant_title: string;
  quantity: number;
  quantity_ordered: number;
  list_price_cents: number;
  sale_price_cents: number | null;
  unit_price_cents: number;
  discount_cents: number;
  tax_cents: number;
  commission_ppm: number;
}
/** Rows of tables that no other row refers to: the database checks their columns on insert. */
export type LooseRow = Readonly<Record<string, string | number | boolean | null | readonly string[] | object>>;
