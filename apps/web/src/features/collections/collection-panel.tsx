import { COLLECTION_ROWS } from "@marketday/domain/limits";
import { useRef } from "react";
import { Navigate, useParams } from "react-router";

import { ApiError } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.tsx";
import { paths } from "../../navigation/paths.ts";
import { useOverlays } from "../../navigation/use-overlays.ts";
import { Button } from "../../ui/button.tsx";
import { ChipRail } from "../../ui/chip.tsx";
import { DialogBody, DialogTitle } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { TopicHead } from "../info/topic-head.tsx";
import { topicOf } from "../info/topics.ts";
import { GridBones, ProductGrid } from "../products/product-grid.tsx";
import { usePagedRows, usePages } from "../products/use-paged.ts";
import { findCollection, useCollectionPages, useCollections } from "./api.ts";

import chip from "../../ui/chip.module.css";
import s from "./collection-panel.module.css";

/** Products of a collection, 18 a page: numbered pages in the address, and "Show 18 more", which appends. */
export default function CollectionPanel() {
  const { slug = "" } = useParams();
  const { close, replaceWith } = useOverlays();
  const position = usePages();
  const { data: all, isPending: namesPending } = useCollections();
  const run = useCollectionPages(slug, position.from, position.page);
  const { products, isPending, error, retry } = run;
  const panel = useRef<HTMLDivElement>(null);
  const { count, pages, left, showMore, select } = usePagedRows(run, position, COLLECTION_ROWS, panel);
  const known = findCollection(all, slug);
  const title = known?.collection.title ?? "";
  useTitle(title || null);

  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound} replace />;
  const href = (number: number) => (number === 1 ? paths.collection(slug) : `${paths.collection(slug)}?page=${number}`);
  const children = known?.parent.children ?? [];
  const topic = topicOf(known?.collection.slug ?? slug);

  return (
    <DialogBody>
      <div className={s.panel} ref={panel}>
        <DialogTitle>{title || (namesPending ? " " : "Collection")}</DialogTitle>
        {topic && <TopicHead topic={topic} />}
        {known && children.length > 0 && (
          <div className={s.children}>
            <ChipRail label={`Within ${known.parent.title}`}>
              {[{ ...known.parent, title: `All ${known.parent.title}` }, ...children].map((one) => (
                <a
                  key={one.id}
                  href={paths.collection(one.slug)}
                  className={chip["chip"]}
                  aria-current={one.id === known.collection.id ? "page" : undefined}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey) return;
                    event.preventDefault();
                    replaceWith(paths.collection(one.slug));
                  }}
                >
                  {one.title}
                </a>
              ))}
            </ChipRail>
          </div>
        )}
        {count !== null && count > 0 && <p className={s.found}>{`Found ${count}`}</p>}
        {products.length > 0 && <ProductGrid products={products} first label={title} />}
        {isPending && products.length === 0 && <GridBones count={9} label={title || "products"} />}
        {error && <ErrorState message={error.message} onRetry={retry} />}
        {count === 0 && (
          <EmptyState
            title={`Nothing in ${title || "this collection"} this week`}
            action={<Button onClick={close}>{messages.continueShopping}</Button>}
          >
            New items arrive through the week.
          </EmptyState>
        )}
        {products.length > 0 && left > 0 && !error && (
          <div className={s.more}>
            <Button kind="outline" size="lg" busy={isPending && "Loading…"} onClick={showMore}>
              Show {Math.min(left, COLLECTION_ROWS)} more
            </Button>
          </div>
        )}
        <Pagination label="Pages" page={position.page} pages={pages} href={href} onSelect={select} />
      </div>
    </DialogBody>
  );
}
