import type { BlogPost } from "@marketday/contracts/content";
import { keepDates } from "@marketday/domain/calendar-date";
import { cx } from "@marketday/ui/cx.ts";
import { Link } from "@marketday/ui/link.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";

import { paths } from "../../navigation/paths.ts";

import s from "./post-card.module.css";
import card from "@marketday/ui/link-card.module.css";

const dates = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** Who wrote it and when: "Marguerite Dahl · November 15, 2026". The day stays with its month. */
export const byline = ({ author, publish_date }: Pick<BlogPost, "author" | "publish_date">): string =>
  [author, keepDates(dates.format(new Date(publish_date)))].filter(Boolean).join(" · ");

/** A post in a list: picture, title, who and when, the first 200 characters. The whole card is one link. */
export const PostCard = ({
  post,
  first,
  heading: Heading,
}: {
  post: BlogPost;
  first: boolean;
  heading: "h2" | "h3";
}) => (
  <article className={cx(card["card"], s.card)}>
    <Picture
      picture={post.image}
      sizes="(min-width: 1280px) 300px, (min-width: 600px) 45vw, 100vw"
      ratio="wide"
      alt=""
      {...(first ? { priority: "eager" } : {})}
    />
    <div className={s.words}>
      <Heading className={s.title}>
        <Link to={paths.post(post.slug)} className={card["link"]}>
          {post.title}
        </Link>
      </Heading>
      <p className={s.meta}>{byline(post)}</p>
      <p className={s.excerpt}>{post.excerpt}</p>
    </div>
  </article>
);

export const PostCardBones = () => (
  <div className={cx(card["card"], s.card)}>
    <SkeletonPart kind="wide" />
    <div className={s.words}>
      <SkeletonPart kind="title" />
      <SkeletonPart kind="line" width="third" />
      <SkeletonPart kind="line" />
      <SkeletonPart kind="line" width="half" />
    </div>
  </div>
);
