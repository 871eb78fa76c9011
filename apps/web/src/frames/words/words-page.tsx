import * as calls from "@marketday/contracts/calls";
import type { ReactNode } from "react";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Prose } from "../../ui/prose.tsx";
import { SkeletonPart, Skeleton } from "../../ui/skeleton.tsx";
import { FramePage } from "../payment/frame-page.tsx";
import { followFromFrame } from "./follow.ts";
import { useLoaded } from "./use-loaded.ts";

interface WordsPageProps {
  slug: string;
  /** Until the page's own is here. */
  title: string;
  /** Below the words: a form. */
  children?: ReactNode;
}

/** A page of words as a frame (docs/product.md §7 Frames). */
export function WordsPage({ slug, title, children }: WordsPageProps) {
  const rendered = boot.words?.pages.find((page) => page.slug === slug);
  const { value, error, retry } = useLoaded(rendered, () => call(calls.getContent, { params: { slug } }));
  return (
    <FramePage title={value?.title || title} changed={false}>
      {value ? (
        <Prose html={value.html} onFollow={followFromFrame} />
      ) : error ? (
        <ErrorState message={error} onRetry={retry} />
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
