import { readFile } from "node:fs/promises";

import { LINK_PAGES, type LinkPageUrl } from "../../server/test/link-pages.ts";
import { expectAccessible } from "./lib/axe.ts";
import { expect, type Page, type TestMarket, test } from "./lib/fixtures.ts";
import { linkTo } from "./lib/mails.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";

interface LinkCase {
  link: string;
  button: string;
  /** Nothing has happened yet. */
  expectUnchanged: () => Promise<void>;
  /** Presses the button, and expects its effect. */
  press: () => Promise<void>;
}

const heading = (page: Page, name: string) => expect(page.getByRole("heading", { name, exact: true })).toBeVisible();

/** A link of each page, from the mail that has it. */
const cases: Record<LinkPageUrl, (page: Page, market: TestMarket) => Promise<LinkCase>> = {
  async "/account/data/:token"(page, market) {
    const { email } = await beNewCustomer(page, market);
    await askApi(page, market, "POST", "/account/export", { password: market.customer.password });
    const button = "Download my data";
    return {
      link: await linkTo(market, email, "/account/data"),
      button,
      expectUnchanged: () => heading(page, "Your data is ready"),
      async press() {
        const downloading = page.waitForEvent("download");
        await page.getByRole("button", { name: button, exact: true }).click();
        const download = await downloading;
        expect(download.suggestedFilename()).toBe("my-market-data.json");
        const file = JSON.parse(await readFile(await download.path(), "utf8")) as { customer: { email: string } };
        expect(file.customer.email).toBe(email);
      },
    };
  },
  async "/account/email/:token"(page, market) {
    const { email } = await beNewCustomer(page, market);
    const { password } = market.customer;
    const moved = { email: `moved.${email}`, currentPassword: password };
    await askApi(page, market, "PUT", "/account/profile", moved);
    const link = await linkTo(market, email, "/account/email");
    const statusOf = async () => (await page.request.get(`${market.address}/api/auth`)).status();
    return {
      link,
      button: "Change it back",
      expectUnchanged: async () => expect(await statusOf()).toBe(200),
      async press() {
        await page.getByRole("button", { name: "Change it back" }).click();
        await heading(page, "Your email is back");
        expect(await statusOf()).toBe(401);
        // The mail has the link for a new password.
        await page.goto(await linkTo(market, email, "/password-reset"));
        await page.getByLabel("New password", { exact: true }).fill("blue-wheelbarrow-7");
        await page.getByLabel("Confirm new password").fill("blue-wheelbarrow-7");
        await page.getByRole("button", { name: "Reset Password" }).click();
        await expect(page.getByText("Password successfully updated!").first()).toBeVisible();
      },
    };
  },
  async "/answer/:token"(page, market) {
    const { id, name } = await market.ask("vendor", { name: "Plum Hollow" });
    const address = `plum.${id}@example.com`;
    await market.ask("vendorEmail", { id, email: address });
    await beNewCustomer(page, market);
    await askApi(page, market, "POST", `/vendors/${id}/messages`, { message: "Are the plums ripe?" });
    const answer = page.getByRole("textbox", { name: "Your answer" });
    return {
      link: await linkTo(market, address, "/answer"),
      button: "Send the answer",
      expectUnchanged: () => expect(answer).toHaveValue(""),
      async press() {
        await answer.fill(`They are, says ${name}.`);
        await page.getByRole("button", { name: "Send the answer" }).click();
        await heading(page, "This was answered");
      },
    };
  },
  async "/farm/:token"(page, market) {
    const { deliveryId, vendorId } = await market.ask("placedDay", {
      vendor: `Plum Hollow ${Date.now()}`,
      products: [{ title: "Pasture Eggs", priceCents: 700 }],
      boxes: [{ name: "Anna", quantities: [3] }],
      isClosed: true,
    });
    const number = page.getByRole("textbox", { name: /^Pasture Eggs/ });
    return {
      link: await market.ask("harvestLink", { deliveryId, vendorId }),
      button: "Confirm",
      expectUnchanged: () => expect(number).toHaveValue("3"),
      async press() {
        const confirm = page.getByRole("button", { name: "Confirm", exact: true });
        await number.fill("3 boxes");
        await confirm.click();
        await heading(page, "Please check your numbers");
        await expect(number).toHaveValue("3 boxes");
        await expect(number).toBeFocused();
        await expectAccessible(page);
        await number.fill("2");
        await page.getByLabel("Why are you bringing less? (optional)").selectOption("Bad weather");
        await confirm.click();
        await expect(page.getByRole("heading", { name: "Thanks, the market has your numbers" })).toBeVisible();
        await expect(number).toHaveValue("2");
      },
    };
  },
  async "/unsubscribe/:token"(page, market) {
    const { id } = await beNewCustomer(page, market);
    const wantsMessages = async () =>
      (await askApi<{ subscribedAllMessages: boolean }>(page, market, "GET", "/account/profile")).subscribedAllMessages;
    return {
      link: await market.ask("unsubscribeLink", { id }),
      button: "Unsubscribe",
      expectUnchanged: async () => expect(await wantsMessages()).toBe(true),
      async press() {
        await page.getByRole("button", { name: "Unsubscribe" }).click();
        await heading(page, "Done");
        expect(await wantsMessages()).toBe(false);
      },
    };
  },
};

for (const url of LINK_PAGES)
  test(`link of a mail: opening ${url} changes nothing, and its button does what it says`, async ({ page, market }) => {
    const { link, button, expectUnchanged, press } = await cases[url](page, market);
    // As a mail scanner opens it: without a body, twice, and by HEAD.
    expect((await page.request.head(`${market.address}${link}`)).status()).toBe(200);
    expect((await page.request.get(`${market.address}${link}`)).status()).toBe(200);
    await page.goto(link);
    await expect(page.getByRole("button", { name: button, exact: true })).toBeVisible();
    await expectUnchanged();
    await expectAccessible(page);
    await press();
  });
