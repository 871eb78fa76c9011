import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import type { Collection } from "@marketday/contracts/collections";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";

import { useTitle } from "../../lib/use-title.ts";
import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { Badge } from "../info/badge.tsx";
import { topicOf, topics } from "../info/topics.ts";
import { type AnyCollection, useCollections } from "./api.ts";

import s from "./collections-page.module.css";

const TILE_SIZES = "(min-width: 1440px) 260px, (min-width: 1024px) 210px, (min-width: 600px) 30vw, 46vw";

/** All collections of the market (spec §2.1 /collections): a tile each, and below what each is made of. */
export default function CollectionsPage() {
  useTitle("Collections");
  return (
    <div className={s.page}>
      <h1>Collections</h1>
      <All />
    </div>
  );
}

function All() {
  const query = useCollections();
  const { data: all, error, refetch, isFetching } = query;
  if (!all)
    return error && !isFetching ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="collections">
        <div className={s.tiles}>
          {Array.from({ length: 8 }, (_, index) => (
            <div key={index} className={s.tile}>
              <SkeletonPart kind="square" />
              <div className={s.words}>
                <SkeletonPart kind="line" width="half" />
              </div>
            </div>
          ))}
        </div>
      </Skeleton>
    );
  if (all.length === 0)
    return <EmptyState title="No collections yet">Products appear here as soon as vendors list them.</EmptyState>;
  const shelves = all.filter(({ children }) => children.length > 0);
  return (
    <>
      <StaleNotice query={query} />
      <ul className={s.tiles}>
        {all.map((collection, index) => (
          <li key={collection.id}>
            <Tile collection={collection} first={index < 4} />
          </li>
        ))}
      </ul>
      {shelves.length > 0 && (
        <section className={s.index} aria-labelledby="shelves">
          <h2 id="shelves">Every shelf</h2>
          <div className={s.shelves}>
            {shelves.map((collection) => (
              <Shelves key={collection.id} collection={collection} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

const newWords = ({ newItemsCount }: AnyCollection) => `${newItemsCount} new ${newItemsCount === 1 ? "item" : "items"}`;

function Tile({ collection, first }: { collection: Collection; first: boolean }) {
  const { slug, title, image, children, newItemsCount } = collection;
  const topic = topicOf(slug);
  const facts = [
    newItemsCount > 0 && newWords(collection),
    children.length > 0 && `${children.length} ${children.length === 1 ? "shelf" : "shelves"}`,
  ].filter(Boolean);
  return (
    <article className={s.tile}>
      <Picture picture={image} sizes={TILE_SIZES} alt="" {...(first ? { priority: "eager" } : {})} />
      {topic && (
        <span className={s.badge}>
          {topics[topic].kinds.slice(0, 1).map(({ badge }) => (
            <Badge key={badge} kind={badge} size="md" />
          ))}
        </span>
      )}
      <div className={s.words}>
        <OverlayLink to={paths.collection(slug)} className={s.title}>
          {title}
        </OverlayLink>
        {facts.length > 0 && <p className={s.facts}>{facts.join(" · ")}</p>}
      </div>
    </article>
  );
}

const Shelves = ({ collection }: { collection: Collection }) => (
  <section className={s.shelf}>
    <h3>
      <OverlayLink to={paths.collection(collection.slug)}>{collection.title}</OverlayLink>
    </h3>
    <ul>
      {collection.children.map((child) => (
        <li key={child.id}>
          <OverlayLink to={paths.collection(child.slug)} className={s.child}>
            {child.title}
            {child.newItemsCount > 0 && <small>{child.newItemsCount} new</small>}
          </OverlayLink>
        </li>
      ))}
    </ul>
  </section>
);
