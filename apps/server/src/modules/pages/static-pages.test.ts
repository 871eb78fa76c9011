import type { Boot } from "@marketday/contracts/boot";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { fakeDist } from "../../../test/dist.ts";
import { createVendor } from "../../../test/factories.ts";
import { buildApp } from "../../app.ts";

const market = await buildTestApp();
const { db, deps } = market;
let app: FastifyInstance;
beforeAll(async () => {
  app = await buildApp(deps, { webDist: fakeDist() });
  await app.ready();
});
afterAll(() => app.close());

const get = async (url: string) => {
  const answer = await app.inject({ url, headers: { accept: "text/html" } });
  const boot = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(answer.body)?.[1];
  const ld = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(answer.body)?.[1];
  return {
    status: answer.statusCode,
    html: answer.body,
    boot: JSON.parse(boot ?? "null") as Boot,
    jsonLd: JSON.parse(ld ?? "null") as Record<string, unknown> | null,
  };
};

test.each([
  ["/help", "help", "Help"],
  ["/jobs", "jobs", "Work with us"],
  ["/driver-application", "driver-application", "Drive for Little Wagon"],
  ["/join", "become-a-vendor", "Sell at Little Wagon"],
  ["/terms", "terms", "Terms of Service"],
  ["/privacy", "privacy", "Privacy Policy"],
])(
  "%s: server-rendered with its content, without a session",
  { tags: ["spec:1-06", "spec:2.4-64"] },
  async (url, slug, title) => {
    const { status, html, boot } = await get(url);
    expect(status).toBe(200);
    expect(html).toContain(`<title>${title} · Little Wagon</title>`);
    expect(html).toContain(
      `<link rel="canonical" href="http://localhost${url}">`.replace("http://localhost", "http://localhost:80"),
    );
    expect(html).toContain(`<main class="static-view"><h1>${title}</h1>`);
    expect(html).not.toContain("noindex");
    expect(boot.words?.pages).toEqual([(await market.shopper().get(`/content/${slug}`)).body]);
  },
);

test.each([
  ["/embed/terms", "Terms of Service", "/terms"],
  ["/embed/privacy", "Privacy Policy", "/privacy"],
  ["/embed/become-a-vendor", "Sell at Little Wagon", "/join"],
  ["/embed/faq", "Frequently asked questions", "/faq"],
])("%s: frame with the same content, not indexed", { tags: ["spec:2.4-64"] }, async (url, title, canonical) => {
  const { status, html } = await get(url);
  expect(status).toBe(200);
  expect(html).toContain('<body class="frame">');
  expect(html).toContain(`<h1>${title}</h1>`);
  expect(html).toContain(`${canonical}">`);
  expect(html).toContain('<meta name="robots" content="noindex">');
});

test("FAQ: questions and answers are structured data", { tags: ["spec:2.1-30"] }, async () => {
  const { html, boot, jsonLd } = await get("/faq");
  expect(boot.words?.faq).toEqual((await market.shopper().get("/faq")).body);
  expect(html).toContain('<section id="what-does-delivery-cost"><h2>What does delivery cost?</h2>');
  expect(jsonLd).toMatchObject({
    "@type": "FAQPage",
    mainEntity: boot.words?.faq?.map(({ question }) => ({ "@type": "Question", name: question })),
  });
});

test(
  "blog, post and about pages: server-rendered, page by page",
  { tags: ["spec:2.1-27", "spec:2.1-28", "fail:H2"] },
  async () => {
    const vendor = await createVendor(db, { name: "Salt Creek" });
    const evil = 'Apples </script><script>alert("x")</script>';
    for (let n = 1; n <= 13; n += 1)
      await db.blog_post.create({
        data: {
          slug: `story-${n}`,
          title: n === 13 ? evil : `Story ${n}`,
          author: "Inez",
          publish_date: new Date(`2026-10-${String(n).padStart(2, "0")}`),
          category: "blog",
          body: n === 13 ? `${evil}\n\n**Old** apples.` : "Words.",
          vendor_id: n === 13 ? vendor.id : null,
        },
      });
    await db.blog_post.create({
      data: {
        slug: "paper",
        title: "Paper",
        author: "Inez",
        publish_date: new Date("2026-10-01"),
        category: "news",
        body: "Read.",
      },
    });

    const first = await get("/blog");
    expect(first.boot.words?.posts).toMatchObject({ category: "blog", page: 1, perPage: 12, totalRows: 13 });
    expect(first.boot.words?.posts?.payload.length).toBe(12);
    expect(first.html).toContain('<a href="/blog/story-12">Story 12</a> Words.');
    const second = await get("/blog?page=2");
    expect(second.html).toContain('/blog?page=2">');
    expect(second.boot.words?.posts?.payload.map(({ title }) => title)).toEqual(["Story 1"]);

    const post = await get("/blog/story-13");
    expect([post.status, post.boot.words?.post?.key]).toEqual([200, "story-13"]);
    expect(post.html).not.toContain(evil);
    expect(post.html).toContain("<strong>Old</strong> apples.");
    expect(post.jsonLd).toMatchObject({ "@type": "BlogPosting", headline: evil, datePublished: "2026-10-13" });
    const id = post.boot.words?.post?.post.id;
    expect((await get(`/blog/${id}`)).html).toContain('/blog/story-13">');
    for (const none of ["/blog/none", "/blog/0", "/blog/%3Cscript%3E"]) expect((await get(none)).status).toBe(404);

    const about = await get("/about");
    expect(about.boot.words?.pages.map(({ slug }) => slug)).toEqual(["about", "team"]);
    expect(about.boot.words?.posts?.payload.map(({ title }) => title)).toEqual(["Paper"]);
    expect(about.jsonLd).toMatchObject({ "@type": "Organization", name: "Little Wagon" });
  },
);
