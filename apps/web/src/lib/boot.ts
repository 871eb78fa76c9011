import type { Boot, MarketConfig } from "@marketday/contracts/boot";

/** Shown when no server rendered the page (a bare `vite dev`): nothing in it is a fact about a market. */
const bare: MarketConfig = {
  marketName: "Market",
  supportEmail: "",
  supportPhone: "",
  specialHubId: 126,
  specialHubText: "",
  payments: "test",
  turnstileSiteKey: null,
  mapTiles: null,
  tagManagerId: null,
  stripeKey: null,
  build: "dev",
};

function read(id: string): Partial<Boot> {
  const text = document.getElementById(id)?.textContent;
  if (!text) return {};
  try {
    return JSON.parse(text) as Partial<Boot>;
  } catch {
    return {};
  }
}

/** What the server wrote into this page; see apps/web/README.md. Read once, when the app starts. */
export const boot: Partial<Boot> = { ...read("boot"), ...read("own") };

/** The market's settings. */
export const config: MarketConfig = boot.config ?? bare;
