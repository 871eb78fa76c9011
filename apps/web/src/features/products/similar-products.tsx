import * as calls from "@marketday/contracts/calls";
import type { Product } from "@marketday/contracts/products";
import { Stack } from "@marketday/ui/layout.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";

import { call } from "../../lib/api.ts";
import { useShopper } from "../session/api.ts";
import { listOfProducts } from "./api.ts";
import { ProductGrid } from "./product-grid.tsx";

/** What this market sells instead, at most 8; nothing where there is nothing like it (spec §2.4 Product detail). */
export function SimilarProducts({ product }: { product: Product }) {
  const { hubId } = useShopper();
  const id = useId();
  const { data } = useQuery({
    queryKey: ["suggestions", hubId, product.id],
    queryFn: ({ signal }) => call(calls.listSuggestions, { params: { id: String(product.id) } }, { signal }),
    enabled: hubId !== null,
    meta: listOfProducts,
  });
  if (!data || data.length === 0) return null;
  return (
    <Stack as="section" gap={3} aria-labelledby={id}>
      <h3 id={id}>Similar, and sold here</h3>
      <ProductGrid products={data} rail heading="h4" label="Similar products" />
    </Stack>
  );
}
