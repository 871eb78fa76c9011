import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/calls";
import type { Input } from "@marketday/contracts/endpoint";
import type { endorseVendor, Vendor } from "@marketday/contracts/vendors";
import { VENDOR_POSTS_ROWS, VENDOR_PRODUCTS_ROWS, VENDOR_SCREEN_ROWS } from "@marketday/domain/limits";
import { toast } from "@marketday/ui/toast-store.ts";
import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { HeartQueue } from "../favorites/heart-queue.ts";
import { cardsWithProducts, type ProductPage, withProducts } from "../products/api.ts";
import { useShopper } from "../session/api.ts";
import type { VendorSort } from "./sorts.ts";

export type Endorsement = Input<typeof endorseVendor>["body"];

const vendorKeys = {
  lists: ["vendors"] as const,
  list: (hubId: number | null, sort: VendorSort) => ["vendors", hubId, sort] as const,
  ones: ["vendor"] as const,
  /** `key` is the slug, id or hash of the address. */
  one: (hubId: number | null, key: string) => ["vendor", hubId, key] as const,
  products: (hubId: number | null, key: string, rows: number, page: number) =>
    ["vendor-products", hubId, key, rows, page] as const,
  posts: (hubId: number | null, key: string) => ["vendor-posts", hubId, key] as const,
};

/** All of the hub's vendors (docs/product.md §5). Another sort keeps the rows in sight until its own are there. */
export function useVendors(sort: VendorSort) {
  const { hubId } = useShopper();
  return useQuery({
    queryKey: vendorKeys.list(hubId, sort),
    queryFn: ({ signal }) => call(calls.listVendors, { querystring: { sort } }, { signal }),
    enabled: hubId !== null,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  });
}

const vendorQuery = (hubId: number | null, key: string, hashed = false) =>
  queryOptions({
    queryKey: vendorKeys.one(hubId, key),
    queryFn: ({ signal }): Promise<Vendor> =>
      call(calls.getVendor, { params: { id: key }, querystring: hashed ? { hashed: "true" } : {} }, { signal }),
  });

/** The same vendor out of a list that is there, while the full one loads. */
function provisionalVendor(client: QueryClient, key: string): Vendor | undefined {
  for (const [, vendors] of client.getQueriesData<Vendor[]>({ queryKey: vendorKeys.lists })) {
    const found = vendors?.find(({ id, slug }) => slug === key || String(id) === key);
    if (found) return found;
  }
  return undefined;
}

/** A vendor by slug or id; `hashed`: by the hash of a printed link. When it cannot be read, what a list knew stays. */
export function useVendor(key: string, hashed = false) {
  const { hubId } = useShopper();
  const client = useQueryClient();
  const query = useQuery({
    ...vendorQuery(hubId, key, hashed),
    placeholderData: () => provisionalVendor(client, key),
  });
  return { ...query, data: query.data ?? (query.error ? provisionalVendor(client, key) : undefined) };
}

export const vendorProductsQuery = (hubId: number | null, key: string, page = 1, rows = VENDOR_PRODUCTS_ROWS) =>
  queryOptions({
    queryKey: vendorKeys.products(hubId, key, rows, page),
    queryFn: ({ signal }): Promise<ProductPage> =>
      call(calls.listVendorProducts, { params: { id: key }, querystring: { page, perPage: rows } }, { signal }),
    meta: withProducts,
  });

/** The first page of the vendor screen (spec §9: 30). */
export function useVendorRail(key: string) {
  const { hubId } = useShopper();
  return useQuery(vendorProductsQuery(hubId, key, 1, VENDOR_SCREEN_ROWS));
}

const vendorPostsQuery = (hubId: number | null, key: string) =>
  queryOptions({
    queryKey: vendorKeys.posts(hubId, key),
    queryFn: ({ signal }) =>
      call(
        calls.listVendorPosts,
        { params: { id: key }, querystring: { page: 1, perPage: VENDOR_POSTS_ROWS } },
        { signal },
      ),
    meta: cardsWithProducts,
  });

/** The vendor's newest feed cards. */
export function useVendorPosts(key: string) {
  const { hubId } = useShopper();
  return useQuery(vendorPostsQuery(hubId, key));
}

/** A vendor that failed is read again by Retry or when its screen opens: its error line stays while the pointer is on a link. */
function prefetchHead(client: QueryClient, hubId: number | null, key: string): void {
  const query = vendorQuery(hubId, key);
  if (client.getQueryState(query.queryKey)?.status !== "error") void client.prefetchQuery(query);
}

/** What is opened when a pointer comes near: the vendor, its shelf and its posts. */
export function prefetchVendor(client: QueryClient, hubId: number | null, key: string): void {
  prefetchHead(client, hubId, key);
  void client.prefetchQuery(vendorProductsQuery(hubId, key, 1, VENDOR_SCREEN_ROWS));
  void client.prefetchQuery(vendorPostsQuery(hubId, key));
}

/** The same for everything it sells: the head and the first page. */
export function prefetchVendorStore(client: QueryClient, hubId: number | null, key: string): void {
  prefetchHead(client, hubId, key);
  void client.prefetchQuery(vendorProductsQuery(hubId, key));
}

/** Changes a vendor wherever it is shown. */
function patchVendor(client: QueryClient, id: number, change: (vendor: Vendor) => Vendor): void {
  const patch = (vendor: Vendor) => (vendor.id === id ? change(vendor) : vendor);
  client.setQueriesData<Vendor>({ queryKey: vendorKeys.ones }, (vendor) => vendor && patch(vendor));
  client.setQueriesData<Vendor[]>({ queryKey: vendorKeys.lists }, (vendors) => vendors?.map(patch));
}

const queues = new WeakMap<QueryClient, HeartQueue>();

/** Follows on their way, one queue for the app: a tap shows at once, the last one wins (spec §7.7). */
export function followsOf(client: QueryClient): HeartQueue {
  const known = queues.get(client);
  if (known) return known;
  const queue = new HeartQueue({
    send: async (id, on) => {
      const input = { params: { id: String(id) } };
      const answer = on ? await call(calls.followVendor, input) : await call(calls.unfollowVendor, input);
      patchVendor(client, id, (vendor) => ({ ...vendor, ...answer }));
      return answer.isFollowed;
    },
    // What the answer says is in the caches already.
    onAcknowledged: () => {},
    onRefused: (_id, _on, error) => toast({ text: messageOf(error), tone: "error" }),
  });
  queues.set(client, queue);
  return queue;
}

/** Endorses a vendor and shows its new score. Throws ApiError. */
export async function endorse(client: QueryClient, key: string, body: Endorsement): Promise<void> {
  const vendor = await call(calls.endorseVendor, { params: { id: key }, body });
  patchVendor(client, vendor.id, () => vendor);
}
