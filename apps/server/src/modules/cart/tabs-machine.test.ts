import { size } from "@marketday/db/testing";
import { Second } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";
import { type Randomness, randomness } from "../../../test/randomness.ts";
import type { Served } from "../../../test/tabs/browser.ts";
import { openBrowser } from "../../../test/tabs/open-browser.ts";
import type { Tab } from "../../../test/tabs/page.ts";

/** `SEED` selects another series. A failure reports the seed, and the steps that are left when all others are removed. */
const SEED = Number(process.env["SEED"] ?? 20_261_126);
const SEQUENCES = size(8, 100, 30);
const STEPS = { from: 12, to: 30 };
const STOCK = { eggs: 40, bread: 40, honey: 3 };

const market = await buildTestApp({ pages: true });
const { db, deps, clock } = market;
const [carmel, fishers] = [await createHub(db), await createHub(db)];
const hubs = [carmel, fishers];

const KINDS = {
  plus: 10,
  minus: 4,
  remove: 2,
  subscribe: 2,
  unsubscribe: 1,
  checkout: 6,
  pay: 8,
  close: 1,
  login: 3,
  register: 1,
  logout: 2,
  switchHub: 2,
  reload: 2,
  line: 3,
  comeBack: 1,
} as const;
type Kind = keyof typeof KINDS;
const ALL = Object.entries(KINDS).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind as Kind));

interface Step {
  kind: Kind;
  tab: 0 | 1;
  /** ms until the next step. */
  pause: number;
  /** Of everything else that happens in it. */
  seed: number;
}
interface Plan {
  seed: number;
  startsAs: "guest" | "customer";
  steps: Step[];
}

function planOf(seed: number): Plan {
  const random = randomness(seed);
  return {
    seed,
    startsAs: random.chance(0.3) ? "guest" : "customer",
    steps: Array.from({ length: random.between(STEPS.from, STEPS.to) }, () => ({
      kind: random.pick(ALL),
      tab: random.chance(0.5) ? 0 : 1,
      pause: random.pick([0, 30, 120, 300, 300, 1000, 1000, 4000, 20_000]),
      seed: random.between(0, 2 ** 31),
    })),
  };
}

interface Tap {
  tab: number;
  owner: number | string;
  variantId: number;
  quantity: number;
  at: number;
  /** When its page was requested. */
  pageAt: number;
  cartId: number | null;
  revision: number;
}
interface Agreed {
  tab: number;
  at: number;
  total: number;
  lines: string[];
}
type Owner = number | string;

async function run(plan: Plan): Promise<void> {
  clock.set(MONDAY);
  const now = clock.now();
  const shared = { hubs: hubs.map(({ id }) => id) };
  const products = {
    eggs: await createProduct(db, carmel.id, { ...shared, title: "Eggs", priceCents: 700, inventory: STOCK.eggs }),
    // At the same price: an order may not have one for the other.
    bread: await createProduct(db, carmel.id, { ...shared, title: "Bread", priceCents: 700, inventory: STOCK.bread }),
    honey: await createProduct(db, carmel.id, { title: "Honey", priceCents: 900, inventory: STOCK.honey }),
  };
  const accounts = [];
  for (let n = 0; n < 2; n += 1) accounts.push(await createCustomer(db, { hubId: carmel.id, pepper: deps.env.pepper }));
  const emails = accounts.map(({ email }) => email!);

  const steps: string[] = [];
  let random: Randomness = randomness(plan.seed);
  const at = () => `${((clock.now().getTime() - now.getTime()) / Second.ms).toFixed(2)} s`;

  const served: Served[] = [];
  const taps: Tap[] = [];
  const agreed: Agreed[] = [];
  const placed: { tab: number; at: number; orderIds: number[]; session: string | null }[] = [];
  const ownerOf = new Map<string, Owner>();
  /** Guests and the customers that they became, also one in each tab. */
  const became = new Set<string>();
  const problems: string[] = [];
  /** Ends of the sessions of people, by time. */
  const ends: { owner: Owner; at: number }[] = [];
  const notSaved: { tab: number; text: string; at: number }[] = [];

  const isSame = (tapped: Owner, owner: Owner) => tapped === owner || became.has(`${tapped} ${owner}`);

  async function onServed(each: Served): Promise<void> {
    served.push(each);
    const { url, method, status, answer } = each;
    const isOk = status < 300;
    const before = each.session === null ? undefined : ownerOf.get(each.session);
    if (method !== "GET" || status >= 400)
      steps.push(
        `  ${at()} ${"AB"[each.tab]} ${method} ${url} ${url === "/api/cart" ? JSON.stringify((each.body ?? []).map((line: any) => [line.variantId, line.quantity])) : ""} → ${status} ${status >= 400 ? (answer?.[1]?.code ?? "") : (answer?.revision ?? "")}`,
      );
    if (isOk && each.startedSession !== null && /\/auth\/(guest|login|register)/.test(url)) {
      ownerOf.set(each.startedSession, answer.customerId);
      for (const guest of [before, shown(tabs[each.tab]!)?.customerId])
        if (typeof guest === "string" && typeof answer.customerId === "number")
          became.add(`${guest} ${answer.customerId}`);
      if (typeof before === "number" && before !== answer.customerId) ends.push({ owner: before, at: each.servedAt });
    }
    if (isOk && url === "/api/auth/logout" && before !== undefined) ends.push({ owner: before, at: each.servedAt });
    if (isOk && method === "PUT" && url === "/api/cart") {
      const cart = await db.cart.findUnique({ where: { id: answer.id } });
      const owner = cart?.customer_id ?? cart?.guest_id;
      for (const line of each.body as { variantId: number; quantity: number }[]) {
        const tap = taps.findLast(
          (one) =>
            one.tab === each.tab &&
            one.variantId === line.variantId &&
            one.quantity === line.quantity &&
            one.at <= each.sentAt,
        );
        if (!tap) problems.push(`a line of ${JSON.stringify(line)} was not tapped in ${each.tab}`);
        else if (owner !== undefined && owner !== null && !isSame(tap.owner, owner))
          problems.push(`a tap of ${tap.owner} is in the cart of ${owner}`);
        // An order since the cart that was tapped into has bought this line.
        if (tap && line.quantity > 0)
          for (const order of placed)
            if (order.at > tap.at && order.at < each.servedAt && tap.cartId === answer.id)
              bought.push({ tap, orderIds: order.orderIds });
      }
    }
    if (status === 201 && url.startsWith("/api/checkout"))
      placed.push({ tab: each.tab, at: each.servedAt, orderIds: answer.orderIds, session: each.session });
  }
  const bought: { tap: Tap; orderIds: number[] }[] = [];

  const before = market.shopper();
  const entered =
    plan.startsAs === "customer"
      ? await before.post("/auth/login", { username: emails[0], password: PASSWORD })
      : await before.post(`/auth/guest?hubId=${carmel.id}`);
  const skewMs = randomness(plan.seed + 1).pick([0, 0, -90_000, 45_000]);
  const { browser, tabs, timeline } = await openBrowser(market, {
    cookies: before.cookies,
    random: () => random,
    onServed: (each) => onServed(each),
    skewMs,
  });
  ownerOf.set(browser.session()!, entered.body.customerId);
  const shown = (tab: Tab) => tab.page?.driver.shown?.() ?? null;

  const quantityIn = (tab: Tab, variantId: number) =>
    shown(tab)?.cart.items.find(({ product }) => product.variant.id === variantId)?.quantity ?? 0;

  const views = new Map<number, Map<string, any>>();
  for (const hub of hubs) {
    const looker = market.shopper();
    await looker.post(`/auth/guest?hubId=${hub.id}`);
    const seen = new Map<string, any>();
    for (const [name, product] of Object.entries(products))
      seen.set(name, (await looker.get(`/products/${product.id}`)).body);
    views.set(hub.id, seen);
  }

  /** What a call of the page ended with, in the steps. */
  const busy = new Set<object>();
  const follow = (what: string, running: Promise<unknown> | undefined) => {
    const { page } = tabs["AB".indexOf(what.charAt(0))]!;
    busy.add(page!);
    void running
      ?.then(
        () => steps.push(`  ${at()} ${what}: done`),
        (error: Error) => steps.push(`  ${at()} ${what}: ${error.message}`),
      )
      .finally(() => busy.delete(page!));
  };

  function tap(tab: Tab, name: string, change: (before: number) => number): void {
    const state = shown(tab);
    if (!state || state.customerId === null || tab.frame || state.hubId === null) return;
    const { variant } = products[name as keyof typeof products];
    const before = quantityIn(tab, variant.id);
    const quantity = change(before);
    if (quantity === before) return;
    const view = views.get(state.hubId)?.get(name);
    const inCart = state.cart.items.some(({ product }) => product.variant.id === variant.id);
    if (quantity > before && !(view?.variants.length > 0)) return;
    steps.push(`${at()} ${"AB"[tab.number]} ${name} (${variant.id}) ${before} → ${quantity}`);
    taps.push({
      tab: tab.number,
      owner: state.customerId,
      variantId: variant.id,
      quantity,
      at: timeline.now,
      pageAt: tab.page!.startedAt,
      cartId: state.cart.id,
      revision: state.cart.revision,
    });
    if (inCart) tab.page!.driver.setLine!(variant.id, quantity);
    else tab.page!.driver.setVariant!(view, quantity, before);
  }

  function take({ kind: planned, tab: number }: Step): void {
    let kind = planned;
    const tab = tabs[number];
    const state = shown(tab);
    const driver = tab.page?.driver;
    if (!state || !driver || tab.isLoading || busy.has(tab.page!)) return;
    const isCustomer = typeof state.customerId === "number";
    const name = random.pick(Object.keys(products));
    const { id, variant } = products[name as keyof typeof products];
    if (tab.frame && random.chance(0.4)) kind = "pay";
    const note = (what: string) => steps.push(`${at()} ${"AB"[number]} ${what}`);
    if (kind === "plus") return tap(tab, name, (before) => before + random.pick([1, 1, 1, 2]));
    if (kind === "minus") return tap(tab, name, (before) => Math.max(0, before - 1));
    if (kind === "remove") return tap(tab, name, () => 0);
    if (kind === "line") {
      const line = random.pick(["fine", "fine", "slow", "lossy", "hanging", "offline"] as const);
      note(`the line is ${line}`);
      const wasOffline = browser.line === "offline";
      browser.line = line;
      if (wasOffline && line !== "offline") for (const each of tabs) each.page?.fire("online");
      return;
    }
    if (kind === "comeBack") {
      note("comes back");
      return tab.page!.fire("visibilitychange");
    }
    if (kind === "reload") {
      note("reloads");
      return tab.load();
    }
    if (tab.frame) {
      if (kind === "close" && !tab.frame.driver.isPaying?.()) {
        note("closes the checkout");
        return tab.closeFrame();
      }
      const offer = tab.frame.driver.offer?.();
      if (kind !== "pay" || !offer) return;
      const lines = offer.cart.items.map(({ product, quantity }) => `${product.variant.id}×${quantity}`).toSorted();
      note(`pays ${offer.quote.orderTotal} for ${lines.join(" ")}`);
      agreed.push({ tab: number, at: timeline.now, total: offer.quote.orderTotal, lines });
      return tab.frame.driver.pay!();
    }
    if (state.customerId === null) {
      note("enters");
      return follow(`${"AB"[number]} enters`, driver.enter!(random.pick(hubs).id));
    }
    if (kind === "login" && !isCustomer) {
      const email = random.pick(emails);
      note(`logs in ${email}`);
      return follow(`${"AB"[number]} login`, driver.login!(email, PASSWORD));
    }
    if (kind === "register" && !isCustomer) {
      const email = `new${plan.seed}.${steps.length}.${Math.floor(performance.now())}@example.com`;
      note(`registers ${email}`);
      return follow(`${"AB"[number]} register`, driver.register!(email, "a wheelbarrow of hay", "46032"));
    }
    if (kind === "logout" && isCustomer) {
      note("logs out");
      return follow(`${"AB"[number]} logout`, driver.logout!());
    }
    if (kind === "switchHub") {
      const other = hubs.find((hub) => hub.id !== state.hubId)!;
      note(`switches to ${other.name}`);
      return follow(`${"AB"[number]} switch`, driver.switchHub!(other.id));
    }
    if (kind === "subscribe" && isCustomer && views.get(state.hubId!)?.get(name).variants.length > 0) {
      note(`subscribes to ${name}`);
      return follow(`${"AB"[number]} subscribe`, driver.subscribe!(id, variant.id, random.between(1, 3)));
    }
    if (kind === "unsubscribe" && isCustomer) {
      note(`unsubscribes from ${name}`);
      return follow(`${"AB"[number]} unsubscribe`, driver.unsubscribe!(id, variant.id));
    }
    if (kind === "checkout" && isCustomer && driver.isIdle!() && state.cart.items.length > 0) {
      note("opens the checkout");
      return tab.openFrame();
    }
  }

  const isQuiet = () =>
    tabs.every(
      ({ page, frame, isLoading }) =>
        page !== null && !isLoading && page.driver.isIdle?.() === true && frame?.driver.isPaying?.() !== true,
    ) && browser.pending === 0;

  const cartOf = (cart: any) => ({
    id: cart.id,
    subtotal: cart.subtotal,
    items: cart.items
      .map((item: any) => [
        item.product.title,
        item.quantity,
        item.watching,
        item.isPublished,
        item.subscription_interval,
      ])
      .toSorted(),
  });

  try {
    for (const step of plan.steps) {
      random = randomness(step.seed);
      take(step);
      await timeline.advance(step.pause);
      for (const tab of tabs)
        for (const text of tab.page?.driver.toasts?.() ?? [])
          if (!notSaved.some((one) => one.tab === tab.number && one.text === text))
            notSaved.push({ tab: tab.number, text, at: timeline.now });
    }

    steps.push(`${at()} the line is fine`);
    browser.line = "fine";
    random = randomness(plan.seed + 2);
    for (const tab of tabs) tab.page?.fire("online");
    for (let round = 0; round < 100 && (round === 0 || !isQuiet()); round += 1) await timeline.advance(5 * Second.ms);
    steps.push(`${at()} quiet`);
    for (const tab of tabs)
      for (const text of tab.page?.driver.toasts?.() ?? []) notSaved.push({ tab: tab.number, text, at: timeline.now });
    expect(isQuiet(), "both tabs have sent everything").toBe(true);
    for (const tab of tabs) if (tab.frame) tab.closeFrame();
    await timeline.advance(5 * Second.ms);
    if (browser.lost > 0) {
      // An answer about the session that was lost is found on return.
      for (const tab of tabs) tab.page?.fire("visibilitychange");
      await timeline.advance(5 * Second.ms);
      for (let round = 0; round < 20 && !isQuiet(); round += 1) await timeline.advance(5 * Second.ms);
    }

    expect(problems.join("\n")).toBe("");
    const looker = market.shopper();
    for (const [cookie, value] of browser.cookies) looker.cookies.set(cookie, value);
    const session = await looker.get("/auth");
    const cart = await looker.get("/cart");
    for (const tab of tabs) {
      const { cart: seen, customerId, hubId } = shown(tab)!;
      expect({ tab: "AB"[tab.number], customerId, hubId }).toEqual({
        tab: "AB"[tab.number],
        customerId: session.body.customerId,
        hubId: session.body.hubId,
      });
      expect({ tab: "AB"[tab.number], ...cartOf(seen) }).toEqual({ tab: "AB"[tab.number], ...cartOf(cart.body) });
      expect(tab.kept.has("marketday:cart-waiting"), "nothing waits").toBe(false);
      expect(tab.errors).toEqual([]);
    }

    // Every last tap of a tab on a line was sent, refused, offered again, or is of a person who left.
    const titles = new Map(Object.values(products).map(({ variant, title }) => [variant.id, title]));
    for (const [index, each] of taps.entries()) {
      const isReplaced = taps
        .slice(index + 1)
        .some(({ tab, variantId }) => tab === each.tab && variantId === each.variantId);
      const isSent = served.some(
        ({ tab, method, url, body, sentAt }) =>
          tab === each.tab &&
          method === "PUT" &&
          url === "/api/cart" &&
          sentAt >= each.at &&
          body.some((line: any) => line.variantId === each.variantId && line.quantity === each.quantity),
      );
      const isOffered = notSaved.some(
        ({ tab, text }) =>
          tab === each.tab && text.startsWith("Not saved") && text.includes(titles.get(each.variantId)!),
      );
      const hasLeft = ends.some(({ owner, at: end }) => isSame(each.owner, owner) && end >= each.pageAt);
      const isRemoval = each.quantity === 0 && placed.some((order) => order.at >= each.at);
      if (!isReplaced && !isSent && !isOffered && !hasLeft && !isRemoval)
        problems.push(`a tap in ${"AB"[each.tab]} of ${each.variantId} → ${each.quantity} was lost`);
    }

    // An order is what its tab showed.
    const attempts = await db.order.findMany({
      where: { items: { some: { variant_id: { in: Object.values(products).map(({ variant }) => variant.id) } } } },
      include: { items: true },
    });
    for (const order of attempts) {
      const lines = order.items.map(({ variant_id, quantity }) => `${variant_id}×${quantity}`).toSorted();
      const isAgreed = agreed.some(
        (one) => one.lines.join() === lines.join() && Math.round(one.total * 100) === order.order_total_cents,
      );
      if (!isAgreed) problems.push(`an order of ${lines.join(" ")} was not agreed to`);
    }
    expect(new Set(placed.flatMap(({ orderIds }) => orderIds))).toEqual(new Set(attempts.map(({ id }) => id)));
    // What was ordered is not in the cart again by a tap of before.
    for (const { tap: each, orderIds } of bought)
      if (
        attempts.some(
          ({ id, items }) => orderIds.includes(id) && items.some((item) => item.variant_id === each.variantId),
        )
      )
        problems.push(`a tap of ${each.variantId} → ${each.quantity} in ${"AB"[each.tab]} put back what was ordered`);

    for (const [name, product] of Object.entries(products))
      for (const offer of await db.offer.findMany({ where: { variant_id: product.variant.id } })) {
        const sold = attempts
          .filter(({ hub_id }) => hub_id === offer.hub_id)
          .flatMap(({ items }) => items)
          .filter(({ variant_id }) => variant_id === offer.variant_id)
          .reduce((sum, { quantity }) => sum + quantity, 0);
        expect([name, offer.inventory]).toEqual([name, STOCK[name as keyof typeof STOCK] - sold]);
      }
    expect(await db.stock_hold.count()).toBe(0);
    expect(problems.join("\n")).toBe("");
    expect(await market.audit()).toEqual([]);
  } catch (error) {
    throw new Error(`seed ${plan.seed}\n${steps.join("\n")}`, { cause: error });
  } finally {
    for (const tab of tabs) tab.closePage();
  }
}

/** The error of the shortest plan that still fails, each step of it needed. */
async function shrink(plan: Plan, error: Error): Promise<Error> {
  let last = error;
  let { steps } = plan;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const fewer = steps.toSpliced(index, 1);
    const failure = await run({ ...plan, steps: fewer }).then(
      () => null,
      (caught: Error) => caught,
    );
    if (failure === null) continue;
    steps = fewer;
    last = failure;
  }
  return last;
}

describe(`${SEQUENCES} sequences of taps, orders, sign-ins and hub switches in two tabs of a browser`, () => {
  test.each(Array.from({ length: SEQUENCES }, (_, n) => SEED + n))(
    "both tabs show the cart of the server, nothing is lost, ordered twice or in another person's cart (seed %i)",
    { tags: ["fail:M8", "fail:B15"] },
    async (seed) => {
      const plan = planOf(seed);
      await run(plan).catch(async (error: Error) => {
        throw await shrink(plan, error);
      });
      expect(await market.audit()).toEqual([]);
    },
  );
});
