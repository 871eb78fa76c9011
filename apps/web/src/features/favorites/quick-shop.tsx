import { pageAddress } from "@marketday/client/page-number.ts";
import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import type { Product } from "@marketday/contracts/products";
import { QUICK_SHOP_ROWS, TOAST_ADDED_MS } from "@marketday/domain/limits";
import { pageCount } from "@marketday/domain/paging";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Pagination } from "@marketday/ui/pagination.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { type ReactNode, useId } from "react";

import { paths } from "../../navigation/paths.ts";
import { useCart, useCartActions } from "../cart/use-cart.ts";
import { formatHistory } from "../products/format-details.ts";
import { ProductListItem } from "../products/product-list-item.tsx";
import { useShopper } from "../session/api.ts";
import { addableOf } from "./addable.ts";
import { useFavorites, useMostOrdered } from "./queries.ts";
import { QuickShopGuest } from "./quick-shop-guest.tsx";

import s from "./quick-shop.module.css";

interface QuickShopProps {
  page: number;
  /** On the page the pages are numbered links; the side panel shows the first and a way to the rest. */
  onPage?: (page: number) => void;
}

/** Quick Shop: what one orders most, and everything with a heart, as a dense list to fill the cart from. */
export default function QuickShop({ page, onPage }: QuickShopProps) {
  const { isRegistered, isPending: shopperPending } = useShopper();
  const favorites = useFavorites(page);
  const usual = useMostOrdered();

  if (!isRegistered && !shopperPending) return <QuickShopGuest withBack={onPage !== undefined} />;
  if (!favorites.data)
    return favorites.error ? (
      <ErrorState message={favorites.error.message} onRetry={() => void favorites.refetch()} />
    ) : (
      <Skeleton label="Quick Shop">
        <div className={s.list}>
          {Array.from({ length: 6 }, (_, index) => (
            <SkeletonPart key={index} kind="row" />
          ))}
        </div>
      </Skeleton>
    );

  const { rows, paging } = favorites.data;
  const pages = pageCount(paging.total, QUICK_SHOP_ROWS);
  return (
    <div className={s.shop}>
      <StaleNotice query={favorites} />
      {page === 1 && usual.data && usual.data.length > 0 && (
        <Section title="You order these most">
          <List products={usual.data} />
        </Section>
      )}
      {paging.total === 0 ? (
        <EmptyState
          icon="heart"
          title="Your favorites will show up here"
          action={<ButtonLink to={paths.shop}>See this week’s market</ButtonLink>}
        >
          Tap the heart on anything you'd like to find again.
        </EmptyState>
      ) : (
        <Section title="Your favorites" action={<AddAll products={rows} />}>
          <List products={rows} />
        </Section>
      )}
      {onPage ? (
        <Pagination
          label="Pages"
          page={page}
          pages={pages}
          href={(number) => pageAddress(paths.favorites, number)}
          onSelect={onPage}
        />
      ) : (
        pages > 1 && (
          <ButtonLink kind="outline" to={paths.favorites}>
            All {paging.total} favorites
          </ButtonLink>
        )
      )}
    </div>
  );
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={s.head}>
        <h2 id={id} className={s.title}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

const List = ({ products }: { products: Product[] }) => (
  <ul className={s.list}>
    {products.map((product) => (
      <li key={product.id}>
        <ProductListItem product={product} note={product.previousOrderCount > 0 ? formatHistory(product) : null} />
      </li>
    ))}
  </ul>
);

/** One of each that is not in the cart yet. */
function AddAll({ products }: { products: Product[] }) {
  const { data: cart } = useCart();
  const { setVariant } = useCartActions();
  const addable = cart ? addableOf(products, cart.items) : [];
  if (addable.length === 0) return null;
  return (
    <Button
      kind="outline"
      icon="plus"
      onClick={() => {
        for (const { product, variant } of addable) setVariant(product, variant, 1, 0);
        toast({ text: `Added ${addable.length} to the cart`, duration: TOAST_ADDED_MS });
      }}
    >
      Add all {addable.length}
    </Button>
  );
}
