import { ApiError } from "@marketday/client/transport.ts";
import { useLatch } from "@marketday/client/use-latch.ts";
import type { Product } from "@marketday/contracts/products";
import { showStars } from "@marketday/domain/review";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { Chip } from "@marketday/ui/chip.tsx";
import { Detail, DetailTitle } from "@marketday/ui/detail.tsx";
import { DialogActions, DialogTitle } from "@marketday/ui/dialog.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { RichText } from "@marketday/ui/rich-text.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { Stars } from "@marketday/ui/stars.tsx";
import { useState } from "react";
import { Navigate, useLocation, useParams } from "react-router";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { paths } from "../../navigation/paths.ts";
import { useFreshCart } from "../cart/use-cart.ts";
import { HeartButton } from "../favorites/heart-button.tsx";
import { MessageButton } from "../inbox/message-button.tsx";
import { ProductBadges } from "../info/product-badges.tsx";
import { ShareButton } from "../share/share-button.tsx";
import { VendorLink } from "../vendors/vendor-link.tsx";
import { useProduct } from "./api.ts";
import { BuyBar } from "./buy-bar.tsx";
import { formatHistory, formatOrigin, formatPreOrder } from "./format-details.ts";
import { isSoldOut } from "./format.ts";
import { Gallery } from "./gallery.tsx";
import { ProductTalk } from "./product-talk.tsx";
import { SimilarProducts } from "./similar-products.tsx";
import { VariantChoice } from "./variant-choice.tsx";

import s from "./product-panel.module.css";

/** A product over the page it was opened from: what the list knew at once, then the rest (spec §2.4 Product detail). */
export default function ProductPanel() {
  const { slug = "" } = useParams();
  const messageId = new URLSearchParams(useLocation().search).get("messageId") ?? undefined;
  const { data: product, error, isPlaceholderData, refetch } = useProduct(slug, messageId);
  useTitle(product?.title ?? null);
  useFreshCart();

  if (error instanceof ApiError && error.status === 404) return <Navigate to={paths.notFound} replace />;
  if (product)
    return (
      <Details
        key={product.id}
        product={product}
        partial={isPlaceholderData}
        failed={error !== null}
        hasQuestion={messageId !== undefined}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Detail picture={!error && <SkeletonPart kind="square" />}>
      {error ? (
        <>
          <DialogTitle>Product</DialogTitle>
          <ErrorState message={messages.productLoad} onRetry={() => void refetch()} />
        </>
      ) : (
        <Skeleton label="product">
          <SkeletonPart kind="title" />
          <SkeletonPart kind="line" width="half" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="line" />
          <SkeletonPart kind="line" />
        </Skeleton>
      )}
    </Detail>
  );
}

interface DetailsProps {
  product: Product;
  /** Only what a list had: the rest is on its way. */
  partial: boolean;
  failed: boolean;
  /** Reached from the answer to a question. */
  hasQuestion: boolean;
  onRetry: () => void;
}

function Details({ product, partial, failed, hasQuestion, onRetry }: DetailsProps) {
  const { variants, vendor } = product;
  const [chosen, setChosen] = useState<number | null>(null);
  // Once known it stays known: what is being typed below outlives a login that changes the market.
  const isWhole = useLatch(!partial);
  const variant = variants.find(({ id }) => id === chosen) ?? variants.find((one) => !isSoldOut(one)) ?? variants[0];
  const facts = [formatHistory(product)].filter(Boolean);
  const origin = formatOrigin(product);
  const rated = showStars(product.ratingCount, product.avgRating);

  return (
    <>
      <DialogActions>
        <HeartButton product={product} />
        <ShareButton title={product.title} path={paths.product(product.slug)} picture={product.images[0]?.url} />
      </DialogActions>
      <Detail picture={<Gallery pictures={product.images} title={product.title} />}>
        <DetailTitle>{product.title}</DetailTitle>
        <p className={s.vendor}>
          <Avatar id={vendor.id} name={vendor.name} picture={vendor.avatar} size="sm" />
          <span>
            <VendorLink vendor={vendor} className={s.vendorLink} />
            <small>{[vendor.city, vendor.state].filter(Boolean).join(", ")}</small>
          </span>
        </p>
        {(rated || facts.length > 0) && (
          <p className={s.facts}>
            {rated && (
              <>
                <Stars rating={product.avgRating} count={product.ratingCount} />{" "}
                <b aria-hidden="true">{product.avgRating.toFixed(1)}</b>
                <span aria-hidden="true">
                  {" · "}
                  {product.ratingCount} {product.ratingCount === 1 ? "review" : "reviews"}
                </span>
                {facts.length > 0 && " · "}
              </>
            )}
            {facts.join(" · ")}
          </p>
        )}
        {variant?.preOrderDate && <Chip tone="squash">{formatPreOrder(variant) ?? ""}</Chip>}
        {variant && <VariantChoice variants={variants} chosen={variant.id} onChoose={setChosen} />}
        <div className={s.message}>
          <MessageButton vendor={vendor} kind="quiet" />
        </div>
        <ProductBadges product={product} />
        {!variant && !partial && <OtherMarkets product={product} />}
        {variants.every(isSoldOut) && !partial && <SimilarProducts product={product} />}
        {product.discountNotes && <p className={s.note}>{product.discountNotes}</p>}
        {product.newDescription && (
          <div className={s.note}>
            <RichText html={product.newDescription} />
          </div>
        )}
        {product.description && <RichText html={product.description} />}
        {failed && <ErrorState message={messages.productLoad} onRetry={onRetry} />}
        <Tags product={product} />
        {(origin || product.processor) && (
          <dl className={s.origin}>
            {origin && (
              <div>
                <dt>Grown in</dt>
                <dd>{origin}</dd>
              </div>
            )}
            {product.processor && (
              <div>
                <dt>Made by</dt>
                <dd>{product.processor}</dd>
              </div>
            )}
          </dl>
        )}
        {isWhole && <ProductTalk product={product} {...(hasQuestion ? { first: "questions" as const } : {})} />}
      </Detail>
      {variant && <BuyBar key={variant.id} product={product} variant={variant} />}
    </>
  );
}

/** Tags as one comma-separated text for readers, chips for eyes; with the vendor's promise of freshness first. */
function Tags({ product }: { product: Product }) {
  const { tags, badge, isPreOrder } = product;
  if (tags.length === 0 && (badge === null || isPreOrder)) return null;
  return (
    <div className={s.tags}>
      {badge !== null && !isPreOrder && <Chip tone="squash">{`Fresh for ${badge} days`}</Chip>}
      {tags.length > 0 && <span className="sr">{tags.join(", ")}</span>}
      {tags.map((tag) => (
        <span key={tag} aria-hidden="true">
          <Chip>{tag}</Chip>
        </span>
      ))}
    </div>
  );
}

function OtherMarkets({ product }: { product: Product }) {
  if (product.availableMarkets.length === 0) return <p className={s.note}>Not available in any market this week.</p>;
  return (
    <div className={s.markets}>
      <p>
        <strong>Not in your market this week.</strong> These markets carry it:
      </p>
      <ul>
        {product.availableMarkets.map(({ id, name }) => (
          <li key={id}>
            <Link to={paths.hub(id)} className={s.market}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
