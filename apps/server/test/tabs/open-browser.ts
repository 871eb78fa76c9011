import { Script } from "node:vm";

import { bundlePage } from "../../../web/test/bundle.ts";
import type { TestMarket } from "../app.ts";
import { type Randomness, randomness } from "../randomness.ts";
import { Browser, type Served } from "./browser.ts";
import { Tab } from "./page.ts";
import { Timeline } from "./timeline.ts";

const script = new Script(await bundlePage());

interface Options {
  /** The session that its cookies are of. */
  cookies: ReadonlyMap<string, string>;
  /** Choices of the moment about requests. */
  random?: () => Randomness;
  onServed?: (served: Served) => unknown;
  /** How wrong the device's clock is, ms. */
  skewMs?: number;
}

/** A browser with two tabs of the shop, in which time passes with the market's stopped clock. */
export async function openBrowser(market: TestMarket, { cookies, random, onServed, skewMs = 0 }: Options) {
  const timeline = new Timeline(market.clock.now().getTime(), (now) => market.clock.set(new Date(now)));
  const always = randomness(1);
  const browser = new Browser({
    timeline,
    port: market.port,
    script,
    random: random ?? (() => always),
    onServed: onServed ?? (() => undefined),
  });
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  const tabs = [new Tab(browser, 0, skewMs), new Tab(browser, 1, skewMs)] as const;
  for (const tab of tabs) tab.load();
  await timeline.advance(2000);
  return { browser, tabs, timeline };
}
