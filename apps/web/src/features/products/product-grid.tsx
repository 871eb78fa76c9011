import { skipOffscreenRendering } from "@marketday/client/skip-offscreen-rendering.ts";
import type { Product } from "@marketday/contracts/products";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import { Fragment, type ReactNode } from "react";

import { ProductTile, TileBones } from "./product-tile.tsx";

import s from "./product-grid.module.css";

interface ProductGridProps {
  products: Product[];
  /** The first row is in the first view. */
  first?: boolean;
  /** Stands after the first row where that has two tiles, across them. */
  between?: ReactNode;
  /** One row that scrolls sideways. */
  rail?: boolean;
  label?: string;
  /** The level of the tiles' titles. */
  heading?: "h3" | "h4";
}

/** Tiles by the width there is: 2 below 420 px, 3, 4, 5, 6 above 1240 (container query). */
export const ProductGrid = ({ products, first, between, rail, label, heading = "h3" }: ProductGridProps) => (
  <Frame>
    <ul ref={rail ? skipOffscreenRendering : undefined} className={rail ? s.rail : s.grid} aria-label={label}>
      {products.map((product, index) => (
        <Fragment key={product.id}>
          {between && index === 2 && <li className={s.between}>{between}</li>}
          <li>
            <ProductTile
              product={product}
              heading={heading}
              {...(first && index < 6 ? { priority: index === 0 ? "first" : "eager" } : {})}
            />
          </li>
        </Fragment>
      ))}
    </ul>
  </Frame>
);

export const GridBones = ({ count, label }: { count: number; label: string }) => (
  <Skeleton label={label}>
    <Frame>
      <div className={s.grid}>
        {Array.from({ length: count }, (_, index) => (
          <TileBones key={index} />
        ))}
      </div>
    </Frame>
  </Skeleton>
);

const Frame = ({ children }: { children: ReactNode }) => <div className={s.frame}>{children}</div>;
