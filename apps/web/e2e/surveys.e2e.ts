import type { Page } from "@playwright/test";

import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { askApi, beNewCustomer, holdAnswer, placeByApi } from "./lib/orders.ts";

interface Question {
  type: string | null;
  questionId: string | null;
}

/** The question that comes up once an order's confirmation could be read. The page's clock is installed. */
async function surveyOf(page: Page, id: number, title: string | RegExp) {
  await page.goto(`/order-complete/${id}`);
  const survey = page.getByRole("dialog");
  await expect(page.getByRole("region", { name: "Receipt" })).toBeVisible();
  await page.clock.runFor(30_000);
  await expect(survey.getByRole("heading", { name: title, exact: true })).toBeVisible();
  return survey;
}

/** Presses the button that sends, and answers what was sent. */
async function sendBy(page: Page, id: number, press: () => Promise<void>): Promise<unknown> {
  const sent = page.waitForRequest((request) => request.url().endsWith(`/api/orders/${id}/survey`));
  const answered = page.waitForResponse((answer) => answer.url().endsWith(`/api/orders/${id}/survey`));
  await press();
  expect((await answered).status()).toBe(200);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  return (await sent).postDataJSON() as unknown;
}

test(
  "survey of the source: all ten options, and a text for Other",
  { tag: ["@spec:5-43", "@spec:5-46", "@spec:5-47", "@spec:4-38"] },
  async ({ page, market }) => {
    const bread = await market.ask("product", { title: "Source Bread", inventory: 20 });
    await beNewCustomer(page, market);
    const id = await placeByApi(page, market, [bread]);
    await page.clock.install();
    await page.setViewportSize({ width: 1280, height: 860 });
    // The receipt can be read before the question is requested; a time in which the tab is hidden does not count.
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const isRequested = () => requests.some((url) => url.endsWith("/survey/"));
    await page.addInitScript(() =>
      Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" }),
    );
    await page.goto(`/order-complete/${id}`);
    await expect(page.getByRole("region", { name: "Receipt" })).toBeVisible();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.clock.runFor(30_000);
    expect(isRequested()).toBe(false);
    await page.evaluate(() => Reflect.deleteProperty(document, "visibilityState"));
    await page.clock.runFor(9_000);
    expect(isRequested()).toBe(false);
    await page.clock.runFor(16_000);
    await expect.poll(isRequested).toBe(true);
    await page.clock.resume();
    const survey = page.getByRole("dialog");
    await expect(survey.getByRole("heading", { name: "How did you hear about us?", exact: true })).toBeVisible();
    await expect(survey.getByRole("radio")).toHaveCount(10);
    // All of it at 860 pixels; on a lower screen it scrolls between its head and its buttons.
    const last = survey.getByText("Other", { exact: true });
    const send = survey.getByRole("button", { name: "Send" });
    await expect(last).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 360, height: 480 });
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport({ ratio: 1 });
    await expect(send).toBeInViewport({ ratio: 1 });
    // The server keeps that it was shown: not in another tab, and not on another device.
    expect(await askApi<Question>(page, market, "GET", `/orders/${id}/survey/`)).toEqual({
      type: null,
      questionId: null,
    });
    for (const name of [
      "From a Farmer/Vendor I Support",
      "Friend or colleague",
      "AI recommendation",
      "Online search",
      "News story",
      "Facebook/Instagram",
      "Flyer or brochure",
      "At a store or restaurant",
      "Online banner ads",
      "Other",
    ])
      await expect(survey.getByRole("radio", { name, exact: true })).toBeVisible();
    const words = survey.getByLabel(/Where was it\?/);
    await expect(words).toHaveCount(0);
    await survey.getByRole("radio", { name: "Other", exact: true }).check();
    await words.fill("A sign at the dairy");
    const sent = await sendBy(page, id, () => survey.getByRole("button", { name: "Send" }).click());
    expect(JSON.stringify(sent)).toContain("A sign at the dairy");
    expect(await askApi<Question>(page, market, "GET", `/orders/${id}/survey/`)).toEqual({
      type: null,
      questionId: null,
    });
  },
);

test(
  "surveys after orders: source, rating, referral, share link and subscription, in turn",
  { tag: ["@spec:2.4-68", "@spec:4-38", "@spec:5-42"] },
  async ({ page, market }) => {
    const milk = await market.ask("product", { title: "Turning Milk", inventory: 60 });
    await beNewCustomer(page, market);
    await askApi(page, market, "PUT", "/account/profile", { handle: `milkfan${Date.now() % 1_000_000}` });
    const first = await placeByApi(page, market, [milk]);
    await page.clock.install();
    const source = await surveyOf(page, first, "How did you hear about us?");
    await source.getByRole("radio", { name: "News story", exact: true }).check();
    expect(await sendBy(page, first, () => source.getByRole("button", { name: "Send" }).click())).toMatchObject({
      type: "MarketingSource",
      response: "News story",
    });

    const csat = await placeByApi(page, market, [milk]);
    // Without its code it is not claimed; claimed in a page that was left meanwhile, it comes when the order is opened again.
    const read = async () => {
      await page.goto(`/order-complete/${csat}`);
      await expect(page.getByRole("region", { name: "Receipt" })).toBeVisible();
      await page.clock.runFor(30_000);
    };
    const code = /\/survey-modal-[^/]*\.js$/;
    await page.route(code, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => code.test(request.url()));
    await read();
    await failed;
    await page.unroute(code);
    expect(await askApi<Question>(page, market, "GET", `/orders/${csat}/survey/`)).toMatchObject({ type: "CSAT" });
    const { answered } = await holdAnswer(page, `/orders/${csat}/survey/shown`);
    await read();
    expect(await answered).toBe(200);
    await page.goto("/more");
    const how = await surveyOf(page, csat, "How was it?");
    await how.getByRole("radio", { name: /Strongly Agree/ }).check({ force: true });
    expect(await sendBy(page, csat, () => how.getByRole("button", { name: "Send" }).click())).toMatchObject({
      type: "CSAT",
      response: 5,
    });

    const nps = await placeByApi(page, market, [milk]);
    const friend = await surveyOf(page, nps, /^Would you tell a friend about /);
    await expect(friend.getByRole("radio")).toHaveCount(11);
    await friend.getByRole("button", { name: "Send" }).click();
    await expect(friend.getByText("Choose a number.").first()).toBeVisible();
    await expectAccessible(page);
    await friend.getByRole("radio", { name: "9", exact: true }).check({ force: true });
    await friend.getByLabel(/Anything to add/).fill("x".repeat(260));
    await expect(friend.getByLabel(/Anything to add/)).toHaveValue("x".repeat(250));
    expect(await sendBy(page, nps, () => friend.getByRole("button", { name: "Send" }).click())).toMatchObject({
      type: "NPS",
      response: 9,
      comment: "x".repeat(250),
    });

    const share = await placeByApi(page, market, [milk]);
    const link = await surveyOf(page, share, "Share Little Wagon with a friend");
    // By the first name, not by the handle that is in the link.
    await expect(link.getByText(/^\p{Lu}\p{L}+, with your link/u)).toBeVisible();
    expect(await sendBy(page, share, () => link.getByRole("button", { name: "I shared it" }).click())).toMatchObject({
      type: "Share",
      response: "I shared it",
    });

    const subscribe = await placeByApi(page, market, [milk]);
    const weekly = await surveyOf(page, subscribe, "Should some things be ordered automatically?");
    await weekly.getByRole("button", { name: "Send" }).click();
    await expect(weekly.getByText("Choose one of the answers.")).toBeVisible();
    await expectAccessible(page);
    await weekly.getByRole("radio", { name: "Maybe later" }).check();
    expect(await sendBy(page, subscribe, () => weekly.getByRole("button", { name: "Send" }).click())).toMatchObject({
      type: "Subscribe",
      response: "Perhaps later",
    });

    // All were shown: the round of the other four starts again.
    const again = await placeByApi(page, market, [milk]);
    expect(await askApi<Question>(page, market, "GET", `/orders/${again}/survey/`)).toMatchObject({ type: "CSAT" });
  },
);
