import type { Boot, Words } from "@marketday/contracts/boot";
import type { BlogCategory, BlogPost, ContentPage, FaqEntry } from "@marketday/contracts/content";
import { plainText } from "@marketday/domain/html-text";
import { BLOG_ROWS } from "@marketday/domain/limits";

import type { Deps } from "../../deps.ts";
import { html, trusted } from "../../lib/html.ts";
import { loadContent, loadFaq, loadPost, loadPosts } from "../content/load-content.ts";
import { fallbackHtml, page, paragraph, short } from "./meta-tags.ts";
import type { PageHead, WebFile } from "./shell.ts";

/** A static page: its head, and the responses that the app would fetch. */
export interface StaticPage {
  head: PageHead;
  words: Words;
}

const words = (part: Partial<Words>): Words => ({ pages: [], faq: null, posts: null, post: null, ...part });

/** Texts of operators. `markdownToHtml` sanitized them when they were read from the database. */
const fromMarkdown = (value: string) => trusted(value);

/** A content page. */
export async function contentPage(
  deps: Deps,
  { config }: Boot,
  slug: string,
  screen: { path: string; chunk: WebFile; framed?: true },
): Promise<StaticPage> {
  const { value } = await loadContent(deps, slug);
  return {
    head: page({
      title: `${value.title} · ${config.marketName}`,
      description: short(plainText(value.html), 160) || value.title,
      canonical: screen.path,
      // Frames repeat the text of another URL.
      index: !screen.framed,
      chunk: screen.chunk,
      fallback: fallbackHtml(value.title, fromMarkdown(value.html)),
    }),
    words: words({ pages: [value] }),
  };
}

const faqHtml = (entries: readonly FaqEntry[]) =>
  entries.map(
    ({ slug, question, answer }) => html`<section id="${slug}"><h2>${question}</h2>${fromMarkdown(answer)}</section>`,
  );

/** The FAQ, with structured data. */
export async function faqPage(deps: Deps, { config }: Boot, framed = false): Promise<StaticPage> {
  const { value: entries } = await loadFaq(deps);
  return {
    head: page({
      title: `FAQ · ${config.marketName}`,
      description: `Answers about ordering, delivery, pickup, payment and subscriptions at ${config.marketName}.`,
      canonical: "/faq",
      index: !framed,
      chunk: framed ? null : "src/features/content/faq-page.tsx",
      jsonLd: framed
        ? null
        : {
            "@context": "https://schema.org",
            "@type": "FAQPage",
            mainEntity: entries.map(({ question, answer }) => ({
              "@type": "Question",
              name: question,
              acceptedAnswer: { "@type": "Answer", text: answer },
            })),
          },
      fallback: fallbackHtml("Frequently asked questions", ...faqHtml(entries)),
    }),
    words: words({ faq: entries }),
  };
}

const postList = (posts: readonly BlogPost[]) =>
  html`<ul>${posts.map(({ slug, title, excerpt }) => html`<li><a href="/blog/${slug}">${title}</a> ${excerpt}</li>`)}</ul>`;

/** The path of a page of a list; the first page has no `?page=`. */
const pageOfList = (path: string, number: number) => (number > 1 ? `${path}?page=${number}` : path);

async function postsOf(deps: Deps, category: BlogCategory, number: number, now: Date) {
  const rows = BLOG_ROWS;
  const { value } = await loadPosts(deps, category, { page: number, rows, offset: (number - 1) * rows }, now);
  return { category, ...value };
}

/** The blog's list. */
export async function blogPage(deps: Deps, { config }: Boot, number: number, now: Date): Promise<StaticPage> {
  const posts = await postsOf(deps, "blog", number, now);
  return {
    head: page({
      title: `Blog${number > 1 ? `, page ${number}` : ""} · ${config.marketName}`,
      description: `Stories, recipes and news from the farms and the packing house of ${config.marketName}.`,
      canonical: pageOfList("/blog", number),
      chunk: "src/features/content/blog-page.tsx",
      fallback: fallbackHtml("Blog", postList(posts.payload)),
    }),
    words: words({ posts }),
  };
}

/** Mission, team and news. */
export async function aboutPage(
  deps: Deps,
  { config }: Boot,
  number: number,
  now: Date,
  base: string,
): Promise<StaticPage> {
  const [{ value: about }, { value: team }, posts] = await Promise.all([
    loadContent(deps, "about"),
    loadContent(deps, "team"),
    postsOf(deps, "news", number, now),
  ]);
  const section = (content: ContentPage) => html`<h2>${content.title}</h2>${fromMarkdown(content.html)}`;
  return {
    head: page({
      title: `${about.title} · ${config.marketName}`,
      description: short(plainText(about.html), 160) || about.title,
      canonical: pageOfList("/about", number),
      chunk: "src/features/content/about-page.tsx",
      jsonLd: {
        "@context": "https://schema.org",
        "@type": "Organization",
        name: config.marketName,
        url: `${base}/shop`,
        email: config.supportEmail,
        telephone: config.supportPhone,
      },
      fallback: fallbackHtml(
        about.title,
        fromMarkdown(about.html),
        section(team),
        html`<h2>News</h2>${postList(posts.payload)}`,
      ),
    }),
    words: words({ pages: [about, team], posts }),
  };
}

/** A blog post, by id or slug. The canonical URL has the slug. */
export async function postPage(
  deps: Deps,
  { config }: Boot,
  key: string,
  now: Date,
  base: string,
): Promise<StaticPage> {
  const { value: post } = await loadPost(deps, key, now);
  const image = post.image ? `${post.image.url}/960.jpg` : null;
  return {
    head: page({
      title: `${post.title} · ${config.marketName}`,
      description: short(post.excerpt, 160) || post.title,
      canonical: `/blog/${post.slug}`,
      image,
      kind: "article",
      chunk: "src/features/content/post-page.tsx",
      jsonLd: {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        headline: post.title,
        datePublished: post.publish_date,
        author: { "@type": post.vendor ? "Organization" : "Person", name: post.author || config.marketName },
        publisher: { "@type": "Organization", name: config.marketName },
        mainEntityOfPage: `${base}/blog/${post.slug}`,
        ...(image && { image: base + image }),
      },
      fallback: fallbackHtml(
        post.title,
        paragraph([post.author, post.publish_date].filter(Boolean).join(" · ")),
        fromMarkdown(post.body),
      ),
    }),
    words: words({ post: { key, post } }),
  };
}
