import { ApiError } from "@marketday/client/transport.ts";
import type { BlogPost } from "@marketday/contracts/content";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { ButtonLink } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";

import { useTitle } from "../../lib/use-title.ts";
import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import NotFoundPage from "../not-found/not-found-page.tsx";
import { ShareButton } from "../share/share-button.tsx";
import { postQuery } from "./api.ts";
import { AppProse } from "./content-words.tsx";
import { byline } from "./post-card.tsx";

import s from "./post-page.module.css";

/** spec §2.1 /blog/{idOrSlug}: one post, its words as wide as a page of a book. */
export default function PostPage() {
  const { slug = "" } = useParams();
  const { data: post, error, refetch } = useQuery(postQuery(slug));
  useTitle(post?.title ?? null);
  if (post) return <Post post={post} />;
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  if (error) return <ErrorState message={error.message} onRetry={() => void refetch()} />;
  return (
    <Skeleton label="the post">
      <div className={s.post}>
        <SkeletonPart kind="title" width="half" />
        <SkeletonPart kind="wide" />
        <SkeletonPart kind="line" />
        <SkeletonPart kind="line" />
        <SkeletonPart kind="line" width="half" />
      </div>
    </Skeleton>
  );
}

function Post({ post }: { post: BlogPost }) {
  const { title, slug, image, category, vendor, body } = post;
  return (
    <article className={s.post}>
      <header className={s.head}>
        <p className={s.back}>
          <ButtonLink kind="link" to={category === "news" ? paths.about : paths.blog}>
            {category === "news" ? "News" : "Blog"}
          </ButtonLink>
        </p>
        <h1>{title}</h1>
        <div className={s.by}>
          <p>{byline(post)}</p>
          <ShareButton title={title} path={paths.post(slug)} {...(image ? { picture: image.url } : {})} />
        </div>
      </header>
      {image && (
        <div className={s.picture}>
          <Picture picture={image} sizes="(min-width: 768px) 680px, 100vw" ratio="wide" priority="first" />
        </div>
      )}
      <AppProse html={body} article />
      {vendor && (
        <aside className={s.vendor} aria-label="The stall that wrote this">
          <Avatar id={vendor.id} name={vendor.name} picture={null} size="md" />
          <p>
            Written by the people of{" "}
            <OverlayLink to={paths.vendor(vendor.slug)} className={s.stall}>
              {vendor.name}
            </OverlayLink>
          </p>
        </aside>
      )}
    </article>
  );
}
