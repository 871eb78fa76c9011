import { expect, test } from "vitest";

import { newClient, run, setUpHooks } from "../../../test/open-hook.tsx";
import { useBundle } from "../bundles/api.ts";
import { collectionPageQuery } from "../collections/api.ts";
import { useFavorites } from "../favorites/queries.ts";
import { searchPageQuery } from "../search/api.ts";
import { useFeed } from "../shop/api.ts";
import { useVendorPosts, vendorProductsQuery } from "../vendors/api.ts";
import { type ProductPage, useProduct } from "./api.ts";
import { product } from "./product.fixture.ts";

const page = setUpHooks();

test("product: until it is read, it is shown out of whatever list has it", async () => {
  const client = newClient({ customerId: 1, hubId: 4 });
  const paged = { headers: { "x-total-count": "1" } };
  page.answer("GET /feed", {
    body: [
      { id: "c1", product: null },
      { id: "c2", product: product(1) },
    ],
  });
  page.answer("GET /vendors/farm/posts?page=1&perPage=10", { body: [{ id: "c3", product: product(2) }] });
  page.answer("GET /favorites/products?page=1&perPage=40", { body: [product(3)], ...paged });
  page.answer("GET /bundles/box", { body: { slug: "box", products: [product(4)] } });
  page.open(() => [useFeed(), useVendorPosts("farm"), useFavorites(1), useBundle("box")], client);
  await run(() => undefined);
  const pages = [searchPageQuery(4, "eggs", 1), collectionPageQuery(4, "dairy", 1), vendorProductsQuery(4, "farm")];
  pages.forEach(({ queryKey, meta = {} }, index) => {
    client.setQueryDefaults(queryKey, { meta });
    client.setQueryData<ProductPage>([...queryKey], { products: [product(5 + index)], totalResults: 1 });
  });

  const shown = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => page.open(() => useProduct(`p${id}`).data?.id, client).now());
  expect(shown).toEqual([1, 2, 3, 4, 5, 6, 7, undefined]);
  await run(() => undefined);
});
