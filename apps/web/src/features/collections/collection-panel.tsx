import { pageAddress, usePageNumber } from "@marketday/client/page-number.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { COLLECTION_ROWS } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { ChipRail } from "@marketday/ui/chip.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { Navigate, useParams } from "react-router";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { TopicHead } from "../info/topic-head.tsx";
import { topicOf } from "../info/topics.ts";
import { ProductPages, useProductPages } from "../products/product-pages.tsx";
import { useShopper } from "../session/api.ts";
import { collectionPageQuery, findCollection, useCollections } from "./api.ts";

import s from "./collection-panel.module.css";
import chip from "@marketday/ui/chip.module.css";

/** Products of a collection, 18 a page: numbered pages in the address, and "Show 18 more", which appends. */
export default function CollectionPanel() {
  const { slug = "" } = useParams();
  const { close, replaceWith, replaceSearch } = useNavigation();
  const { hubId } = useShopper();
  const { data: all, isPending: namesPending } = useCollections();
  const list = useProductPages({
    page: usePageNumber(),
    rows: COLLECTION_ROWS,
    query: (page) => collectionPageQuery(hubId, slug, page),
    goTo: (page) => replaceSearch(pageAddress("", page)),
  });
  const { count, error } = list;
  const known = findCollection(all, slug);
  const title = known?.collection.title ?? "";
  useTitle(title || null);

  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound} replace />;
  const children = known?.parent.children ?? [];
  const topic = topicOf(known?.collection.slug ?? slug);

  return (
    <DialogBody>
      <div className={s.panel}>
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
        <ProductPages
          list={list}
          label={title}
          loading={title || "products"}
          first
          empty={
            <EmptyState
              title={`Nothing in ${title || "this collection"} this week`}
              action={<Button onClick={close}>{messages.continueShopping}</Button>}
            >
              New items arrive through the week.
            </EmptyState>
          }
          href={(page) => pageAddress(paths.collection(slug), page)}
        />
      </div>
    </DialogBody>
  );
}
