import * as calls from "@marketday/contracts/calls";
import type { BlogCategory } from "@marketday/contracts/content";
import { BLOG_ROWS } from "@marketday/domain/limits";
import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";

/** Words are every market's alike, and change seldom. */
const staleTime = 10 * 60_000;

const contentKeys = {
  page: (slug: string) => ["content", slug] as const,
  faq: ["faq"] as const,
  posts: (category: BlogCategory, page: number) => ["posts", category, page] as const,
  post: (key: string) => ["post", key] as const,
};

export const contentQuery = (slug: string) =>
  queryOptions({
    queryKey: contentKeys.page(slug),
    queryFn: ({ signal }) => call(calls.getContent, { params: { slug } }, { signal }),
    staleTime,
  });

export const faqQuery = queryOptions({
  queryKey: contentKeys.faq,
  queryFn: ({ signal }) => call(calls.listFaq, undefined, { signal }),
  staleTime,
});

/** Twelve posts a page (spec §9); the page before stays until the next is here. */
export const postsQuery = (category: BlogCategory, page: number) =>
  queryOptions({
    queryKey: contentKeys.posts(category, page),
    queryFn: ({ signal }) =>
      call(calls.listBlogPosts, { querystring: { category, page, perPage: BLOG_ROWS } }, { signal }),
    staleTime,
    placeholderData: keepPreviousData,
  });

/** One post by id or slug. */
export const postQuery = (key: string) =>
  queryOptions({
    queryKey: contentKeys.post(key),
    queryFn: ({ signal }) => call(calls.getBlogPost, { params: { id: key } }, { signal }),
    staleTime,
  });

/** Puts the words the server rendered into the cache. */
export function seedContent(client: QueryClient): void {
  const { words } = boot;
  for (const page of words?.pages ?? []) client.setQueryData(contentKeys.page(page.slug), page);
  if (words?.faq) client.setQueryData(contentKeys.faq, words.faq);
  if (words?.posts) {
    const { category, ...posts } = words.posts;
    client.setQueryData(contentKeys.posts(category, posts.page), posts);
  }
  if (words?.post) client.setQueryData(contentKeys.post(words.post.key), words.post.post);
}
