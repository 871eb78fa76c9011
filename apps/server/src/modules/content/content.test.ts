import { BlogPost, ContentPage, FaqEntry, listBlogPosts } from "@marketday/contracts/content";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createVendor } from "../../../test/factories.ts";
import { exportContent } from "./export-content.ts";
import { defaultTexts } from "./load-content.ts";

const market = await buildTestApp({
  env: { MARKET_NAME: "Tom *& Sons*", SUPPORT_EMAIL: "hello@tom.example", SUPPORT_PHONE: "(312) 555-0199" },
});
const { db } = market;
await createHub(db);
const anybody = market.shopper();
const Page = listBlogPosts.schema.response[200];

let made = 0;
/** A post published on that day. */
async function post(title: string, day: string, part: { category?: string; body?: string; vendorId?: number } = {}) {
  made += 1;
  return db.blog_post.create({
    data: {
      slug: `post-${made}`,
      title,
      author: "Marguerite Dahl",
      publish_date: new Date(`${day}T00:00:00Z`),
      category: part.category ?? "blog",
      body: part.body ?? "Words.",
      vendor_id: part.vendorId ?? null,
    },
  });
}

describe("content pages", () => {
  test.each(["about", "team", "help", "jobs", "terms", "privacy", "become-a-vendor", "driver-application"])(
    "content: a new market has the page %s, with its name in it",
    { tags: ["spec:1-05"] },
    async (slug) => {
      const { status, body } = await anybody.get(`/content/${slug}`);
      expect(status).toBe(200);
      expect(ContentPage.parse(body)).toEqual(body);
      expect(body).toMatchObject({ slug, updatedAt: null });
      expect(body.title).not.toBe("");
      expect(`${body.title} ${body.html}`).toMatch(/Tom \*(&|&amp;) Sons\*|hello@tom\.example/);
      expect(body.html).not.toContain("{{");
    },
  );

  test("content: a page written by operators replaces the default at once", async () => {
    expect((await anybody.get("/content/jobs")).body.title).toBe("Work with us");
    const stored = { slug: "jobs", title: "Jobs at {{market}}", body: "Call {{phone}}.\n\n<script>alert(1)</script>" };
    await db.content_page.create({ data: stored });
    await expect
      .poll(async () => (await anybody.get("/content/jobs")).body)
      .toMatchObject({
        title: "Jobs at Tom *& Sons*",
        html: "<p>Call (312) 555-0199.</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
        updatedAt: expect.stringMatching(/^2\d{3}-/),
      });
    await db.content_page.delete({ where: { slug: "jobs" } });
    await expect.poll(async () => (await anybody.get("/content/jobs")).body.title).toBe("Work with us");
  });

  test.each(["no-such", "TERMS", "..%2Fterms", "faq"])("content: %s is 404", async (slug) => {
    const { status, body } = await anybody.get(`/content/${slug}`);
    expect([status, body]).toEqual([404, ["Not found.", { code: "not_found" }]]);
  });
});

describe("the FAQ", () => {
  test(
    "FAQ: a new market has one, and each question has an address",
    { tags: ["spec:1-05", "spec:3-32"] },
    async () => {
      const { body } = await anybody.get("/faq");
      expect(z.array(FaqEntry).parse(body)).toEqual(body);
      expect(body.length).toBe(defaultTexts().faq.length);
      expect(body.length).toBeGreaterThan(10);
      expect(body[0]).toMatchObject({
        slug: "when-do-i-have-to-order-by",
        question: "When do I have to order by?",
        triggerPhrases: ["cutoff", "order by", "deadline", "too late"],
      });
      expect(new Set(body.map(({ slug }: FaqEntry) => slug)).size).toBe(body.length);
    },
  );

  test(
    "FAQ: the market's own entries are listed in their order, as text",
    { tags: ["spec:3-32", "fail:H2"] },
    async () => {
      const entry = (question: string, position: number, answer = "Yes.") => ({
        question,
        answer,
        position,
        trigger_phrases: ["a, b"],
      });
      await db.faq_entry.createMany({
        data: [
          entry("Later?", 2),
          entry("<b>First?</b>", 1, "<img src=x onerror=alert(1)> **yes**"),
          entry("later", 3),
        ],
      });
      await expect
        .poll(async () => (await anybody.get("/faq")).body)
        .toEqual([
          {
            id: expect.any(Number),
            slug: "b-first-b",
            question: "<b>First?</b>",
            answer: "<p>&lt;img src=x onerror=alert(1)&gt; <strong>yes</strong></p>",
            triggerPhrases: ["a, b"],
          },
          expect.objectContaining({ slug: "later", question: "Later?" }),
          expect.objectContaining({ slug: expect.stringMatching(/^later-\d+$/), question: "later" }),
        ]);
    },
  );
});

test("FAQ: an entry without trigger phrases in the database is listed with none", { tags: ["spec:3-32"] }, async () => {
  // The column takes null, as SQL written by hand leaves it.
  await db.$executeRaw`insert into faq_entry (question, answer, trigger_phrases, position) values ('Who grows it?', 'Farmers.', null, 9)`;
  await expect
    .poll(async () => (await anybody.get("/faq")).body)
    .toContainEqual(expect.objectContaining({ question: "Who grows it?", triggerPhrases: [] }));
  const files = await exportContent({ deps: market.deps });
  expect(files.find(({ name }) => name === "faq.md")?.text).toMatch(/## Who grows it\?\n\nFarmers\.\n$/);
});

describe("the blog", { tags: ["spec:7.11-02", "spec:9-29"] }, () => {
  test("blog: twelve posts a page, newest first, by category: stories and news", { tags: ["spec:1-05"] }, async () => {
    for (let n = 1; n <= 14; n += 1) await post(`Story ${n}`, `2026-10-${String(n).padStart(2, "0")}`);
    await post("Paper", "2026-10-05", { category: "news" });
    await post("Tomorrow’s", "2026-11-24");
    const page = async (query: string, headers = {}) => {
      const { status, body, headers: paging } = await anybody.get(`/blog-posts${query}`, headers);
      expect(status).toBe(200);
      expect(Page.parse(body)).toEqual(body);
      expect([paging["x-current-page"], paging["x-rows-per-page"], paging["x-total-results"]]).toEqual(
        [body.page, body.perPage, body.totalRows].map(String),
      );
      return [body.page, body.perPage, body.totalRows, body.payload.length, body.payload[0]?.title ?? null];
    };
    expect(await page("?category=blog")).toEqual([1, 12, 14, 12, "Story 14"]);
    expect(await page("?category=blog&page=2")).toEqual([2, 12, 14, 2, "Story 2"]);
    expect(await page("?category=blog&page=3")).toEqual([3, 12, 14, 0, null]);
    expect(await page("?category=news")).toEqual([1, 12, 1, 1, "Paper"]);
    expect(await page("", { "x-current-page": "2", "x-rows-per-page": "10" })).toEqual([2, 10, 15, 5, "Story 5"]);
    for (const bad of ["?category=gossip", "?page=0", "?page=x"])
      expect((await anybody.get(`/blog-posts${bad}`)).status).toBe(400);
  });

  test("blog: a post is found by id or slug, with its vendor", { tags: ["spec:7.11-03", "spec:3-31"] }, async () => {
    const vendor = await createVendor(db, { name: "Salt Creek" });
    const { id, slug } = await post("<i>Apples</i>", "2026-11-01", {
      vendorId: vendor.id,
      body: "Old *apples*.\n\n<svg onload=alert(1)>\n\n[us](/about) [x](javascript:alert(1))",
    });
    for (const key of [id, slug]) {
      const { status, body } = await anybody.get(`/blog-posts/${key}`);
      expect(status).toBe(200);
      expect(BlogPost.parse(body)).toEqual(body);
      expect(body).toEqual({
        id,
        slug,
        title: "<i>Apples</i>",
        image: null,
        author: "Marguerite Dahl",
        publish_date: "2026-11-01",
        category: "blog",
        body: '<p>Old <em>apples</em>.</p>\n<p>&lt;svg onload=alert(1)&gt;</p>\n<p><a href="/about">us</a> [x](javascript:alert(1))</p>',
        excerpt: "Old apples. <svg onload=alert(1)> us [x](javascript:alert(1))",
        vendor: { id: vendor.id, slug: vendor.slug, name: "Salt Creek" },
      });
    }
  });

  test("blog: an excerpt has at most 200 characters", { tags: ["spec:9-06", "spec:2.4-69"] }, async () => {
    const long = await post("Long", "2026-11-02", { body: `**${"word ".repeat(100)}end**` });
    const whole = await post("Whole", "2026-11-02", { body: "é".repeat(200) });
    const one = await post("One word", "2026-11-02", { body: "x".repeat(400) });
    const excerpt = async (id: number) => [...(await anybody.get(`/blog-posts/${id}`)).body.excerpt].length;
    expect((await anybody.get(`/blog-posts/${long.id}`)).body.excerpt).toBe(`${"word ".repeat(39)}word…`);
    expect(await excerpt(long.id)).toBe(200);
    expect(await excerpt(whole.id)).toBe(200);
    expect(await excerpt(one.id)).toBe(200);
  });

  test("blog: an unknown post, and one whose day has not begun in the market, are 404", async () => {
    const { id, slug } = await post("Secret", "2026-11-24");
    // 11:59 PM in Indiana.
    market.clock.set("2026-11-24T04:59:59Z");
    expect((await anybody.get("/blog-posts")).body.payload.map((row: { id: number }) => row.id)).not.toContain(id);
    for (const key of [id, slug, 0, 999_999, "99999999999", "no-such"]) {
      const { status, body } = await anybody.get(`/blog-posts/${key}`);
      expect([key, status, body]).toEqual([key, 404, ["Not found.", { code: "not_found" }]]);
    }
    market.clock.set("2026-11-24T05:00:00Z");
    expect((await anybody.get(`/blog-posts/${slug}`)).status).toBe(200);
    expect((await anybody.get("/blog-posts")).body.payload.map((row: { id: number }) => row.id)).toContain(id);
  });
});
