import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Prose } from "@marketday/ui/prose.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { contentQuery } from "../../features/content/api.ts";
import { followFromFrame } from "../shell/follow.ts";
import { FramePage } from "../shell/frame-page.tsx";

interface WordsPageProps {
  slug: string;
  /** Until the page's own is here. */
  title: string;
  /** Below the words: a form. */
  children?: ReactNode;
}

/** A page of words as a frame (docs/product.md §7 Frames). */
export function WordsPage({ slug, title, children }: WordsPageProps) {
  const { data, error, refetch } = useQuery(contentQuery(slug));
  return (
    <FramePage title={data?.title || title}>
      {data ? (
        <Prose html={data.html} onFollow={followFromFrame} />
      ) : error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      ) : (
        <Skeleton label="the page">
          <SkeletonPart kind="line" />
          <SkeletonPart kind="line" />
          <SkeletonPart kind="line" width="half" />
        </Skeleton>
      )}
      {children}
    </FramePage>
  );
}
