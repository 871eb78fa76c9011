import assert from "node:assert/strict";

import type { TestMarket } from "../lib/market.ts";
import { addressIn, cards, expiry, newPerson } from "../lib/shopper.ts";
import type { EngineShopper } from "./shopper.ts";

/** A flow of the shop, the same in every engine. It throws where the engine differs. */
export type Flow = (shopper: EngineShopper, market: TestMarket) => Promise<void>;

const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1280, height: 860 };
/** A toast of one line, px; a box as high as the window covers the shop. */
const TOAST_MAX = 120;

async function comeIn(shopper: EngineShopper, market: TestMarket): Promise<void> {
  await shopper.engine.goto(market.address);
  await shopper.fill("Zip code", market.zip, "dialog");
  await shopper.click({ role: "button", name: "Browse", within: "dialog" });
  await shopper.isAt("/shop");
  await shopper.see({ role: "heading", name: ".*market is open" });
}

async function welcome(shopper: EngineShopper, market: TestMarket): Promise<void> {
  await shopper.engine.resize(PHONE);
  await comeIn(shopper, market);
}

async function addFromTile(shopper: EngineShopper): Promise<void> {
  const { text } = await shopper.click({ role: "button", name: "Add .*", within: "main" });
  const title = text.replace(/^Add /u, "");
  const name = `Remove ${title.replaceAll(/[^\w\s]/gu, ".")}`;
  await shopper.see({ role: "button", name, within: "main" });
}

/** In the page: notes the height of each toast, which is gone after a second. */
function noteToasts(): void {
  const page = globalThis as typeof globalThis & { toastHeights?: number[] };
  const heights: number[] = (page.toastHeights = []);
  const note = () => {
    const open = document.querySelector("[popover]:popover-open");
    if (open) heights.push(open.getBoundingClientRect().height);
    requestAnimationFrame(note);
  };
  note();
}

async function addFromPanel(shopper: EngineShopper, market: TestMarket): Promise<void> {
  await shopper.engine.goto(`${market.address}/shop`);
  const { text } = await shopper.click({ role: "link", name: "Golden Tomatoes|Rainbow Carrots", within: "main" });
  await shopper.isAt("/product/.*");
  await shopper.see({ role: "heading", name: text, within: "dialog" });
  await shopper.engine.evaluate(noteToasts);
  await shopper.click({ role: "button", name: "Add to Cart · .*", within: "dialog" });
  const heights = await shopper.until("a toast", () =>
    shopper.engine.evaluate(() => {
      const { toastHeights = [] } = globalThis as typeof globalThis & { toastHeights?: number[] };
      return toastHeights.length > 0 ? toastHeights : null;
    }),
  );
  assert.ok(Math.max(...heights) <= TOAST_MAX, `the toast is ${Math.max(...heights)} px high`);
  await shopper.click({ role: "button", name: "Close", within: "dialog" });
  await shopper.isAt("/shop");
}

async function searchProduct(shopper: EngineShopper, market: TestMarket): Promise<void> {
  await shopper.engine.goto(`${market.address}/search?q=sourdough`);
  await shopper.see({ role: "heading", name: "Country Sourdough" });
}

/** A page that is loaded afresh starts at its top, wherever the page before it was scrolled to. */
async function freshPageAtTop(shopper: EngineShopper, market: TestMarket): Promise<void> {
  await shopper.engine.goto(`${market.address}/shop`);
  await shopper.see({ role: "heading", name: ".*market is open" });
  await shopper.until("scrolled", () =>
    shopper.engine.evaluate(() => {
      scrollTo(0, 400);
      return scrollY > 100;
    }),
  );
  await shopper.engine.goto(`${market.address}/faq`);
  await shopper.see({ role: "heading", name: ".+", within: "main" });
  const top = await shopper.engine.evaluate(() => scrollY);
  assert.ok(top < 10 || (await isShort(shopper)), `the page starts at ${top} px`);
}
const isShort = (shopper: EngineShopper) =>
  shopper.engine.evaluate(() => document.documentElement.scrollHeight <= innerHeight);

/** No page scrolls sideways, at 100 % and at 200 % text. */
async function noSidewaysScrolling(shopper: EngineShopper, market: TestMarket): Promise<void> {
  for (const path of ["/shop", "/hubs", "/vendors", "/faq"]) {
    await shopper.engine.goto(market.address + path);
    await shopper.see({ role: "heading", name: ".+", within: "main" });
    for (const scale of ["100%", "200%"]) {
      const over = await shopper.engine.evaluate((size) => {
        document.documentElement.style.fontSize = size;
        return document.documentElement.scrollWidth - innerWidth;
      }, scale);
      assert.ok(over <= 0, `${path} at ${scale} text is ${over} px too wide`);
    }
  }
}

/** The whole purchase: register in the checkout, an address, a card, the order; the books agree. */
async function buy(shopper: EngineShopper, market: TestMarket): Promise<void> {
  const person = newPerson();
  const { street, city, state } = addressIn(market);
  await shopper.engine.resize(DESKTOP);
  await shopper.engine.goto(`${market.address}/shop`);
  await shopper.click({ role: "button", name: "Checkout" });
  const frame = "frame";
  await shopper.fill("First name", person.firstName, frame);
  await shopper.fill("Last name", person.lastName, frame);
  await shopper.fill("Email", person.email, frame);
  await shopper.fill("Zip code", market.zip, frame);
  await shopper.fill("Password", person.password, frame);
  await shopper.click({ role: "button", name: "Create My Account", within: frame });
  await shopper.fill("Street address", street, frame);
  await shopper.fill("City", city, frame);
  await shopper.select("State", state);
  await shopper.fill("Zip code", market.zip, frame);
  await shopper.click({ role: "button", name: "Continue", within: frame });
  await shopper.fill("Card number", cards.good, frame);
  await shopper.fill("Expires.*", expiry, frame);
  await shopper.fill("Security code.*", "123", frame);
  await shopper.click({ role: "button", name: "Place order · .*", within: frame });
  const path = await shopper.isAt("/order-complete/\\d{9}");
  await shopper.see({ role: "heading", name: "Your order is in" });
  const order = await market.ask("order", { id: Number(path.split("/").at(-1)) });
  assert.deepEqual(
    { status: order.status, email: order.email, ledgerSum: order.ledgerSum },
    { status: "open", email: person.email, ledgerSum: 0 },
  );
  assert.deepEqual(await market.ask("audit"), []);
}

/** In the order in which a shopper meets them; each begins where the one before ended. */
export const FLOWS: Readonly<Record<string, Flow>> = {
  "a guest comes in by zip code": welcome,
  "a tile's plus becomes a stepper": addFromTile,
  "a product opens over the shop, is added with a small toast, and closes to the shop": addFromPanel,
  "search finds a product": searchProduct,
  "a page loaded afresh starts at its top": freshPageAtTop,
  "no page scrolls sideways, at 100 % and 200 % text": noSidewaysScrolling,
  "a new customer buys with a card": buy,
};
