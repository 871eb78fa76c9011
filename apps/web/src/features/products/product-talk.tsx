import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { Product } from "@marketday/contracts/products";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { Tabs } from "@marketday/ui/tabs.tsx";
import { useState } from "react";

import s from "./product-talk.module.css";

const QuestionsSection = lazyWithRetry(() => import("../questions/questions-section.tsx"));
const ReviewsSection = lazyWithRetry(() => import("../reviews/reviews-section.tsx"));

type Talk = "questions" | "reviews";

interface ProductTalkProps {
  product: Product;
  /** Which one to begin with; reviews when there are any. */
  first?: Talk;
}

/** What people say about a product: Q&A and Reviews (spec §2.4 Product detail). */
export function ProductTalk({ product, first }: ProductTalkProps) {
  const [talk, setTalk] = useState<Talk>(first ?? (product.ratingCount > 0 ? "reviews" : "questions"));
  const waiting = (
    <Skeleton label={talk === "reviews" ? "reviews" : "questions"}>
      <SkeletonPart kind="row" />
      <SkeletonPart kind="row" />
    </Skeleton>
  );
  return (
    <Tabs
      label={`About ${product.title}`}
      current={talk}
      onChange={setTalk}
      tabs={[
        { id: "questions", label: "Q&A", section: <QuestionsSection product={product} /> },
        {
          id: "reviews",
          label: product.ratingCount > 0 ? `Reviews · ${product.ratingCount}` : "Reviews",
          section: <ReviewsSection product={product} />,
        },
      ].map(({ id, label, section }) => ({
        id: id as Talk,
        label,
        panel: (
          <div className={s.panel}>
            <AsyncBoundary waiting={waiting} failed="This didn’t load.">
              {section}
            </AsyncBoundary>
          </div>
        ),
      }))}
    />
  );
}
