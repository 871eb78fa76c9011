import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Prose } from "@marketday/ui/prose.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import { useNavigation } from "../../navigation/overlays.ts";
import { contentQuery } from "./api.ts";

/** Prose whose links are followed in the app. */
export function AppProse({ html, article }: { html: string; article?: boolean }) {
  const { open } = useNavigation();
  return <Prose html={html} article={article ?? false} onFollow={(path) => open(path)} />;
}

/** What operators wrote under a slug; its lines while it is on its way. */
export function ContentWords({ slug }: { slug: string }) {
  const { data, error, refetch } = useQuery(contentQuery(slug));
  if (data) return <AppProse html={data.html} />;
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} />;
  return <WordBones />;
}

const WordBones = () => (
  <Skeleton label="the page">
    <SkeletonPart kind="line" />
    <SkeletonPart kind="line" />
    <SkeletonPart kind="line" width="half" />
    <SkeletonPart kind="line" />
    <SkeletonPart kind="line" width="third" />
  </Skeleton>
);
