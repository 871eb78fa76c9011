/** Pages that a guest of the first hub opens. */
export interface Visit {
  cookie: string;
  /** Paths below the address. */
  feed: string;
  product: string;
  collection: string;
  line: { productId: number; variantId: number; quantity: number };
}

interface Product {
  id: number;
  variants: { id: number; inventory: number }[];
}

async function getJson<T>(address: string, path: string, cookie: string): Promise<T> {
  const response = await fetch(address + path, { headers: { cookie } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Signs in as a guest and finds a product and a collection. */
export async function visit(address: string): Promise<Visit> {
  const [hub] = await getJson<{ id: number }[]>(address, "/api/hubs", "");
  const signIn = await fetch(`${address}/api/auth/guest?hubId=${hub?.id}`, { method: "POST" });
  if (!signIn.ok) throw new Error(`POST /auth/guest: ${signIn.status} ${await signIn.text()}`);
  const cookie = signIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const cards = await getJson<{ product: Product | null }[]>(address, "/api/feed", cookie);
  const product = cards
    .map((card) => card.product)
    .find((sold) => sold?.variants.some(({ inventory }) => inventory > 5));
  const variant = product?.variants.find(({ inventory }) => inventory > 5);
  const [collection] = await getJson<{ id: number }[]>(address, "/api/collections", cookie);
  if (!product || !variant || !collection) throw new Error("The market has no product or collection.");
  return {
    cookie,
    feed: "/api/feed",
    product: `/api/products/${product.id}`,
    collection: `/api/collections/${collection.id}/products`,
    line: { productId: product.id, variantId: variant.id, quantity: 1 },
  };
}
