import { pageAddress, usePageNumber } from "@marketday/client/page-number.ts";
import type { BlogCategory } from "@marketday/contracts/content";
import { BLOG_ROWS } from "@marketday/domain/limits";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Grid } from "@marketday/ui/layout.tsx";
import { Pagination } from "@marketday/ui/pagination.tsx";
import { Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import { useNavigation } from "../../navigation/overlays.ts";
import { postsQuery } from "./api.ts";
import { PostCard, PostCardBones } from "./post-card.tsx";

interface PostListProps {
  category: BlogCategory;
  /** The page it is on: `/blog`. */
  path: string;
  heading: "h2" | "h3";
}

/** Posts of a category, twelve a page by `?page=` (spec §2.1 /blog, /about). */
export function PostList({ category, path, heading }: PostListProps) {
  const { navigate } = useNavigation();
  const page = usePageNumber();
  const { data, error, isPlaceholderData, refetch } = useQuery(postsQuery(category, page));
  const href = (to: number) => pageAddress(path, to);

  if (!data)
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="posts">
        <Grid min="card" gap={4}>
          {Array.from({ length: 6 }, (_, index) => (
            <PostCardBones key={index} />
          ))}
        </Grid>
      </Skeleton>
    );
  const pages = Math.ceil(data.totalRows / BLOG_ROWS);
  return (
    <>
      {data.payload.length === 0 ? (
        <EmptyState icon="page" title="No posts yet" />
      ) : (
        <Grid as="ul" min="card" gap={4} aria-busy={isPlaceholderData}>
          {data.payload.map((post, index) => (
            <li key={post.id}>
              <PostCard post={post} first={index < 3} heading={heading} />
            </li>
          ))}
        </Grid>
      )}
      <Pagination
        label={category === "news" ? "Pages of news" : "Pages of posts"}
        page={page}
        pages={pages}
        href={href}
        onSelect={(to) => void navigate(href(to))}
      />
    </>
  );
}
