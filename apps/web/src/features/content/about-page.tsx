import { useQuery } from "@tanstack/react-query";

import { useTitle } from "../../lib/use-title.ts";
import { paths } from "../../navigation/paths.ts";
import { contentQuery } from "./api.ts";
import { ContentWords } from "./content-words.tsx";
import { PostList } from "./post-list.tsx";

import s from "./words-page.module.css";

/** spec §2.1 /about: the mission, the team, and news, twelve a page. */
export default function AboutPage() {
  const { data: about } = useQuery(contentQuery("about"));
  const { data: team } = useQuery(contentQuery("team"));
  const title = about?.title || "About us";
  useTitle(title);
  return (
    <div className={s.page}>
      <h1>{title}</h1>
      <ContentWords slug="about" />
      <section className={s.page} aria-labelledby="team">
        <h2 id="team">{team?.title || "Team"}</h2>
        <ContentWords slug="team" />
      </section>
      <section className={s.page} aria-labelledby="news">
        <h2 id="news">News</h2>
        <PostList category="news" path={paths.about} heading="h3" />
      </section>
    </div>
  );
}
