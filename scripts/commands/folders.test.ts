import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readSums } from "@marketday/db/testing/old-database";
import { parsePost, postText } from "@marketday/server/modules/content/post-file";
import { buildTestApp } from "@marketday/server/testing/app";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
let folders = 0;
const folder = (files: Record<string, string | Buffer>): string => {
  const path = join(market.dir, `folder-${(folders += 1)}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
};
const picture = (red: number): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: { r: red, g: 120, b: 40 } } })
    .jpeg()
    .toBuffer();

describe("images import", () => {
  test("pictures are identified by file name, served in sizes, and replaced wherever they are shown", async () => {
    const first = folder({ "brown-eggs.jpg": await picture(200), "honey.jpg": await picture(20), ".hidden": "x" });
    expect(await market.json("images", "import", first, "--dry-run")).toMatchObject({ created: 2, dryRun: true });
    expect(await db.picture.count()).toBe(0);
    expect(await market.json("images", "import", first)).toMatchObject({ created: 2, replaced: 0 });
    expect(await market.json("images", "import", first)).toMatchObject({ created: 0, replaced: 0, unchanged: 2 });
    const vendors = join(market.dir, "vendors.csv");
    writeFileSync(vendors, "slug,name,city,state,avatar\noak-farm,Oak Farm,Sheridan,IN,brown-eggs.jpg\n");
    await market.json("vendors", "import", vendors);
    const avatar = async () =>
      (await db.vendor.findUniqueOrThrow({ where: { slug: "oak-farm" }, include: { avatar: true } })).avatar;
    const before = await avatar();
    expect(before).toMatchObject({ alt: "brown eggs", file: `${before?.id}-brown-eggs.jpg` });
    const app = await buildTestApp({ url: market.url, env: { DATA_DIR: market.dir } });
    const served = await app.app.inject(`/img/${before?.id}/160.jpg`);
    expect([served.statusCode, served.headers["content-type"]]).toEqual([200, "image/jpeg"]);
    await app.close();

    const image_id = before!.id;
    const { id: vendorId } = await db.vendor.update({ where: { slug: "oak-farm" }, data: { hero_id: image_id } });
    const title = "Brown eggs";
    const product = await db.product.create({
      data: { slug: "eggs", vendor_id: vendorId, title, pictures: { create: { picture_id: image_id, position: 0 } } },
    });
    await db.collection.create({ data: { slug: "eggs", title, image_id } });
    await db.bundle.create({ data: { slug: "eggs", title, image_id } });
    await db.post.create({ data: { type: "vendor-post", vendor_id: vendorId, title, text_image_id: image_id } });
    await db.blog_post.create({
      data: { slug: "eggs", title, author: "Ada", publish_date: new Date(), category: "blog", body: "", image_id },
    });
    const uses = async () => [
      (await db.vendor.findUniqueOrThrow({ where: { id: vendorId } })).hero_id,
      (await db.product_picture.findFirst({ where: { product_id: product.id } }))?.picture_id,
      (await db.collection.findUniqueOrThrow({ where: { slug: "eggs" } })).image_id,
      (await db.bundle.findUniqueOrThrow({ where: { slug: "eggs" } })).image_id,
      (await db.post.findFirstOrThrow({ where: { vendor_id: vendorId } })).text_image_id,
      (await db.blog_post.findUniqueOrThrow({ where: { slug: "eggs" } })).image_id,
    ];

    const other = folder({ "brown-eggs.jpg": await picture(90) });
    expect((await market.run("images", "import", other, "--dry-run")).out).toContain(
      "Would be replaced: brown-eggs.jpg.\n",
    );
    expect(await market.json("images", "import", other)).toMatchObject({
      replaced: 1,
      replacedNames: ["brown-eggs.jpg"],
    });
    const after = await avatar();
    expect(after?.id).not.toBe(before?.id);
    expect(await uses()).toEqual(Array.from({ length: 6 }, () => after?.id));
    expect(await db.picture.count()).toBe(2);
    // Other tests of the file count these.
    await db.blog_post.deleteMany();
    await db.post.deleteMany();
    const out = join(market.dir, "photos");
    await market.json("images", "export", out);
    expect(readdirSync(out)).toEqual(["brown-eggs.jpg", "honey.jpg"]);
    expect(readFileSync(join(out, "honey.jpg"))).toEqual(readFileSync(join(first, "honey.jpg")));
  });

  test("names from phones and copies, subfolders, and files of the operating system", async () => {
    const [red, green, blue] = [await picture(11), await picture(12), await picture(13)];
    const source = folder({
      "My Photo (1).JPG": red,
      "Thumbs.db": "x",
      "desktop.ini": "x",
      "cheese/Cre\u0300me frai\u0302che.jpeg": green,
      "cheese/.DS_Store": "x",
      "cheese/goat/a, b & c.png": blue,
    });
    const done = await market.json<{ created: number; skipped: string[] }>("images", "import", source);
    expect([done.created, done.skipped]).toEqual([3, ["Thumbs.db", "cheese/.DS_Store", "desktop.ini"]]);
    expect((await market.run("images", "import", source)).out).toContain(
      "Skipped 3 files of the operating system: Thumbs.db, cheese/.DS_Store, desktop.ini.",
    );
    // A Mac decomposes accents in file names; keyboards and spreadsheets do not.
    const vendors = join(market.dir, "named.csv");
    writeFileSync(
      vendors,
      'slug,name,city,state,avatar,hero\nelm-farm,Elm Farm,Sheridan,IN,My Photo (1).JPG,Crème fraîche.jpeg\nyew-farm,Yew Farm,Sheridan,IN,"a, b & c.png",\n',
    );
    await market.json("vendors", "import", vendors);
    const elm = await db.vendor.findUniqueOrThrow({
      where: { slug: "elm-farm" },
      include: { avatar: true, hero: true },
    });
    expect([elm.avatar?.alt, elm.hero?.alt]).toEqual(["My Photo", "Crème fraîche"]);
    const twice = folder({ "eggs.jpg": red, "new/eggs.jpg": green });
    expect((await market.run("images", "import", twice)).err).toContain(
      "/new/eggs.jpg: eggs.jpg has the same name. Rename one of the two.",
    );
  });

  const bad: [name: string, files: () => Promise<Record<string, string | Buffer>>, message: string][] = [
    [
      "a text",
      async () => ({ "a.jpg": "no picture", "b.jpg": await picture(1) }),
      "/a.jpg: this is not a picture that can be shown. Use JPEG, PNG",
    ],
    [
      "a truncated picture",
      async () => ({ "a.jpg": (await picture(1)).subarray(0, 60) }),
      "/a.jpg: the picture is cut off or damaged.",
    ],
    [
      "an SVG with a script",
      async () => ({ "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>" }),
      "/a.svg: this is not a picture that can be shown.",
    ],
    [
      "a name with |",
      async () => ({ "a|b.jpg": await picture(1) }),
      "/a|b.jpg: this name cannot be used in other files.",
    ],
    ["an empty folder", async () => ({ ".keep": "" }), "There are no pictures in"],
  ];
  test.each(bad)("%s is refused, and nothing is written", { tags: ["fail:L5"] }, async (_name, files, message) => {
    const before = await db.picture.count();
    const refused = await market.run("images", "import", folder(await files()));
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining(message)]);
    expect(await db.picture.count()).toBe(before);
  });
});

test("images import --keep-going: valid pictures are imported, rejected ones are listed with the reason", async () => {
  const eggs = await picture(77);
  const source = folder({ "=wrong|.jpg": eggs, "kept.jpg": eggs, "text.png": "no picture" });
  const dry = await market.run("images", "import", source, "--keep-going", "--dry-run");
  expect([dry.code, dry.out]).toEqual([5, expect.stringContaining("1 new, 0 replaced, 0 unchanged, 2 rejected")]);
  expect(existsSync(`${source}.rejected.csv`)).toBe(false);
  const { code, out } = await market.run("images", "import", `${source}/`, "--keep-going");
  expect([code, out]).toEqual([5, expect.stringContaining(`are in ${source}.rejected.csv: put them right`)]);
  expect(readFileSync(`${source}.rejected.csv`, "utf8").trimEnd().split("\n")).toEqual([
    "\uFEFFfile,problem",
    "'=wrong|.jpg,this name cannot be used in other files. Rename it without | and to at most 100 letters.",
    expect.stringMatching(/^text\.png,"this is not a picture that can be shown\. Use JPEG/),
  ]);
  expect(await db.picture.findMany({ where: { alt: "kept" } })).toHaveLength(1);
  expect(await db.picture.count({ where: { alt: { in: ["text", "=wrong|"] } } })).toBe(0);
  const entry = await db.audit_entry.findFirstOrThrow({ where: { action: "images import" }, orderBy: { id: "desc" } });
  expect(entry.data).toEqual({ created: 1, replaced: 0, unchanged: 0, rejected: 2 });
});

describe("content import and export", () => {
  const post =
    "# First frost\n\nauthor: Ada Burns\ndate: 2026-11-20\ncategory: news\nvendor: oak-farm\nimage: honey.jpg\n\nIt came *early*.\n";
  const content = {
    "terms.md": "# Terms\n\nBe kind.\n",
    "faq.md": "## When do you come?\n\nOn Thursday.\n\nAlso: delivery, day\n\n## Do you take cash?\n\nAt the door.\n",
    "blog/first-frost.md": post,
  };

  test("Markdown files are imported, exported with the same bytes, and imported again without a change", async () => {
    const source = folder(content);
    expect(await market.json("content", "import", source)).toMatchObject({ pages: 1, questions: 2, posts: 1 });
    expect(await market.json("content", "import", source)).toMatchObject({ pages: 0, questions: 0, posts: 0 });
    const out = join(market.dir, "words");
    await market.json("content", "export", out);
    for (const [name, text] of Object.entries(content)) expect(readFileSync(join(out, name), "utf8")).toBe(text);
    await market.json("content", "import", folder({ "faq.md": "## Do you take cash?\n\nNo.\n" }));
    expect(await db.faq_entry.findMany({ select: { question: true, answer: true } })).toEqual([
      { question: "Do you take cash?", answer: "No." },
    ]);
    expect(await db.content_page.count()).toBe(1);
  });

  test("what a file leaves out stays, `none` empties it, and both outputs name each value, old and new", async () => {
    await market.json("content", "import", folder(content));
    const read = async () => [
      await db.content_page.findMany({ omit: { updated_at: true }, orderBy: { slug: "asc" } }),
      await db.faq_entry.findMany({ orderBy: { position: "asc" } }),
      await db.blog_post.findMany(),
    ];
    const before = await read();
    const blank = {
      "terms.md": "# Terms\n",
      "faq.md": "## When do you come?\n\n## Do you take cash?\n",
      "blog/first-frost.md": "# First frost\n\nauthor:\nimage:\n",
    };
    const unchanged = await market.run("content", "import", folder(blank));
    expect([unchanged.code, unchanged.out]).toEqual([0, expect.stringContaining("nothing was changed")]);
    expect(await read()).toEqual(before);

    const cleared = folder({
      "terms.md": "# Our terms\n\nnone\n",
      "faq.md": "## When do you come?\n\nAlso: none\n",
      "blog/first-frost.md": "# First frost\n\nvendor: none\nimage: None\n",
    });
    const lines = [
      "  terms.md: title Terms → Our terms",
      "  terms.md: body Be kind. → none",
      "  faq.md, When do you come?: also delivery, day → none",
      "  faq.md: question Do you take cash? → none",
      "  blog/first-frost.md: vendor oak-farm → none",
      "  blog/first-frost.md: image honey.jpg → none",
    ].join("\n");
    const sums = await readSums(db);
    const dry = await market.run("content", "import", cleared, "--dry-run");
    expect(dry.out).toContain(`Values that would change:\n${lines}\n`);
    expect(await readSums(db)).toEqual(sums);
    expect((await market.run("content", "import", cleared)).out).toContain(`Values that changed:\n${lines}\n`);
    expect(await read()).toMatchObject([
      [{ slug: "terms", title: "Our terms", body: "" }],
      [{ question: "When do you come?", answer: "On Thursday.", trigger_phrases: [] }],
      [{ author: "Ada Burns", category: "news", vendor_id: null, image_id: null, body: "It came *early*." }],
    ]);
    const rewritten = await market.run("content", "import", folder({ "faq.md": "## When do YOU come\u200B?\n" }));
    expect(rewritten.out).toContain("  faq.md, When do you come?: question When do you come? → When do YOU come");
    expect(await db.faq_entry.findMany()).toMatchObject([{ answer: "On Thursday." }]);
    const unanswered = await market.run("content", "import", folder({ "faq.md": "## Why?\n" }));
    expect(unanswered.err).toContain('an answer below each question; "Why?" has none');
  });

  test("a default page whose title alone is in the file keeps its text; `none` makes a new page without one", async () => {
    await market.json(
      "content",
      "import",
      folder({ "privacy.md": "# Your data\n", "returns.MD": "# Returns\n\nnone\n" }),
    );
    const pages = await db.content_page.findMany({ where: { slug: { in: ["privacy", "returns"] } } });
    await market.json("content", "export", join(market.dir, "empty-words"));
    expect(readFileSync(join(market.dir, "empty-words", "returns.md"), "utf8")).toBe("# Returns\n\nnone\n");
    expect(pages.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))).toMatchObject([
      { title: "Your data", body: expect.stringContaining("{{market}}") },
      { title: "Returns", body: "" },
    ]);
    await db.content_page.deleteMany({ where: { slug: { in: ["privacy", "returns"] } } });
  });

  test("pasted Markdown: marks, special spaces and old line ends are cleaned, and what Markdown needs stays", async () => {
    const pasted = {
      "terms.md": "\uFEFF#\u00A0Terms\u200B\u202E\r\rBe\u00A0kind.  \rAlways.\r\r-\u00A0one\r\t- two\r",
      "faq.md": "##\u00A0When do you come?\u200E\r\n\r\nOn Thursday.\r\n\r\nalso:\u00A0day\u200B, when\r\n",
      "blog/first-frost.md": post.replaceAll(" ", "\u00A0").replaceAll("\n", "\r\n"),
    };
    await market.json("content", "import", folder(pasted));
    expect(await db.content_page.findUnique({ where: { slug: "terms" } })).toMatchObject({
      title: "Terms",
      body: "Be kind.  \nAlways.\n\n- one\n\t- two",
    });
    expect(await db.faq_entry.findMany()).toMatchObject([
      { question: "When do you come?", answer: "On Thursday.", trigger_phrases: ["day", "when"] },
    ]);
    expect(await db.blog_post.findUnique({ where: { slug: "first-frost" } })).toMatchObject({
      title: "First frost",
      author: "Ada Burns",
      body: "It came *early*.",
    });
    expect((await market.run("content", "import", folder(pasted))).out).toContain("nothing was changed");
  });

  const bad: [name: string, files: Record<string, string | Buffer>, message: string][] = [
    ["empty", { "terms.md": " \n" }, "/terms.md: right would be words; the file is empty"],
    ["no title", { "terms.md": "Be kind." }, "/terms.md: right would be a first line that begins with #"],
    ["a name that is no slug", { "Our Terms.md": "# T\n\nx" }, "/Our Terms.md: right would be a name of small letters"],
    ["a question twice", { "faq.md": "## A?\n\n1\n\n## A?\n\n2\n" }, 'each question once; "A?" is listed twice'],
    [
      "no date",
      { "blog/x.md": "# X\n\nauthor: Ada\n\nWords" },
      "/blog/x.md: right would be a line below the title such as date: 2026-11-21",
    ],
    [
      "unknown vendor",
      { "blog/x.md": post.replace("oak-farm", "ash-farm") },
      "the slug of a vendor; there is no ash-farm",
    ],
    [
      "missing picture",
      { "blog/x.md": post.replace("honey.jpg", "none.jpg") },
      "the name of a picture; there is no none.jpg",
    ],
    ["a new page without a text", { "returns.md": "# Returns\n" }, "/returns.md: right would be words below the title"],
    [
      "a new post without a text",
      { "blog/x.md": "# X\n\nauthor: Ada\ndate: 2026-11-20\n" },
      "/blog/x.md: right would be words below the title, or the word none",
    ],
    [
      "letters that another program broke",
      { "terms.md": "# Terms\n\nWe like\nCrÃ¨me fraÃ®che.\n" },
      '/terms.md: right would be "Crème fraîche." where it has "CrÃ¨me fraÃ®che."',
    ],
    ["a capital in its name", { "Team.MD": "# Team\n\nUs.\n" }, "/Team.MD: right would be a name of small letters"],
    [
      "not UTF-8",
      { "terms.md": Buffer.from([0x23, 0x20, 0x54, 0x0a, 0xe8, 0x0a]) },
      "/terms.md: right would be a text in UTF-8",
    ],
  ];
  test.each(bad)("%s: the whole import is refused", { tags: ["fail:L5"] }, async (_name, files, message) => {
    const refused = await market.run("content", "import", folder({ ...files, "about.md": "# About\n\nUs.\n" }));
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining(message)]);
    expect(await db.content_page.count({ where: { slug: "about" } })).toBe(0);
  });

  test("--keep-going: valid files are imported, rejected ones are listed with the reason", async () => {
    const source = folder({
      "about.md": "# About\n\nUs.\n",
      "team.md": "no title",
      "blog/lost.md": post.replace("oak-farm", "ash-farm"),
      "blog/kept.md": post,
    });
    const { code, out } = await market.run("content", "import", source, "--keep-going");
    expect([code, out]).toEqual([5, expect.stringContaining(`Imported 2 files from ${source}`)]);
    expect(readFileSync(`${source}.rejected.csv`, "utf8").trimEnd().split("\n")).toEqual([
      "\uFEFFfile,problem",
      "team.md,right would be a first line that begins with # and holds the page's title.",
      "blog/lost.md,right would be the slug of a vendor; there is no ash-farm.",
    ]);
    expect(await db.content_page.findMany({ where: { slug: { in: ["about", "team"] } } })).toMatchObject([
      { slug: "about" },
    ]);
    expect(await db.blog_post.findMany({ where: { slug: { in: ["lost", "kept"] } } })).toMatchObject([
      { slug: "kept" },
    ]);
  });

  test("a post file without a text: its last line is a field", () => {
    const withoutText = "# First frost\n\nauthor: Ada Burns\ndate: 2026-11-21";
    expect(parsePost("first-frost", `${withoutText}\nnone\n`, null)).toMatchObject({ date: "2026-11-21", body: "" });
    const stored = parsePost("first-frost", `${withoutText}\nIt came early.`, null);
    if (typeof stored === "string") throw new Error(stored);
    expect(parsePost("first-frost", withoutText, stored)).toEqual(stored);
  });

  test("a post file is parsed and written back with the same bytes", () => {
    const parsed = parsePost("first-frost", post, null);
    expect(typeof parsed === "string" ? parsed : postText(parsed)).toBe(post);
  });
});
