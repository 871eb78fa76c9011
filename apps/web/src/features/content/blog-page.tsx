import { useTitle } from "../../lib/use-title.ts";
import { paths } from "../../navigation/paths.ts";
import { PostList } from "./post-list.tsx";

import s from "./words-page.module.css";

/** spec §2.1 /blog: posts, twelve a page. */
export default function BlogPage() {
  useTitle("Blog");
  return (
    <div className={s.page}>
      <h1>Blog</h1>
      <PostList category="blog" path={paths.blog} heading="h2" />
    </div>
  );
}
