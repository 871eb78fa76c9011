import type { Product } from "@marketday/contracts/products";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useId } from "react";

import { useUsuals } from "../favorites/api.ts";
import { formatHistory } from "../products/format-details.ts";
import { ProductListItem } from "../products/product-list-item.tsx";

import s from "./usuals.module.css";

/** What the empty cart offers: four things to begin with. Nothing where there are none, or where they cannot be had. */
export default function Usuals() {
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
