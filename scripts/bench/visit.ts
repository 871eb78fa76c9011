/** What a guest of the first market would look at. */
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

async function ask<T>(address: string, path: string, cookie: string): Promise<T> {
  const answer = await fetch(address + path, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Becomes a guest and looks round. */
export async function visit(address: string): Promise<Visit> {
  const [hub] = await ask<{ id: number }[]>(address, "/api/hubs", "");
  const entered = await fetch(`${address}/api/auth/guest?hubId=${hub?.id}`, { method: "POST" });
  if (!entered.ok) throw new Error(`No guest: ${entered.status} ${await entered.text()}`);
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const cards = await ask<{ product: Product | null }[]>(address, "/api/feed", cookie);
  const product = cards
    .map((card) => card.product)
    .find((sold) => sold?.variants.some(({ inventory }) => inventory > 5));
  const variant = product?.variants.find(({ inventory }) => inventory > 5);
  const [collection] = await ask<{ id: number }[]>(address, "/api/collections", cookie);
  if (!product || !variant || !collection) throw new Error("The market has nothing to look at.");
  return {
    cookie,
    feed: "/api/feed",
    product: `/api/products/${product.id}`,
    collection: `/api/collections/${collection.id}/products`,
    line: { productId: product.id, variantId: variant.id, quantity: 1 },
  };
}
