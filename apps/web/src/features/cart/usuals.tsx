import * as calls from "@marketday/contracts/calls";
import type { Product } from "@marketday/contracts/products";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";

import { call } from "../../lib/api.ts";
import { listOfProducts } from "../products/api.ts";
import { formatHistory } from "../products/format-details.ts";
import { ProductListItem } from "../products/product-list-item.tsx";
import { useShopper } from "../session/api.ts";

import s from "./usuals.module.css";

/**
 * What the empty cart offers. Once used it stays until the cart is empty again, by an order too, because the first addition fills
 * the cart. The focus does not tell: WebKit gives none to a button that is clicked.
 */
export default function Usuals({ isEmpty }: { isEmpty: boolean }) {
  const [isUsed, setUsed] = useState(false);
  const [wasEmpty, setWasEmpty] = useState(isEmpty);
  if (wasEmpty !== isEmpty) {
    setWasEmpty(isEmpty);
    if (isEmpty) setUsed(false);
  }
  if (!isEmpty && !isUsed) return null;
  return (
    // Its buttons are what is used, also by keyboard; their clicks arrive here.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClickCapture={() => setUsed(true)}>
      <List />
    </div>
  );
}

/** Four things to begin with. Nothing where there are none, or where they cannot be had. */
function List() {
  const { data: products, error } = useUsuals();
  const id = useId();
  if (error || products?.length === 0) return null;
  if (!products)
    return (
      <Skeleton label="products">
        <div className={s.list}>
          {[1, 2, 3, 4].map((row) => (
            <SkeletonPart key={row} kind="row" />
          ))}
        </div>
      </Skeleton>
    );
  const isOwn = ({ previousOrderCount }: Product) => previousOrderCount > 0;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={s.title}>
        {products.every(isOwn) ? "Your usuals" : "Often ordered"}
      </h3>
      <ul className={s.list}>
        {products.map((product) => (
          <li key={product.id}>
            <ProductListItem product={product} note={isOwn(product) ? formatHistory(product) : null} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** At most four; also for guests. */
function useUsuals() {
  const { hubId, customerId } = useShopper();
  return useQuery({
    queryKey: ["usuals", hubId, customerId] as const,
    queryFn: ({ signal }) => call(calls.listUsuals, undefined, { signal }),
    enabled: hubId !== null,
    staleTime: 5 * 60_000,
    meta: listOfProducts,
  });
}
