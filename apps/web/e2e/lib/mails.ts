import { expect } from "@playwright/test";

import type { TestMarket } from "./fixtures.ts";

/** The link in a mail to an address, once the mail is in the folder; its lines are folded. */
export async function linkTo(market: TestMarket, to: string, path: string, count = 1): Promise<string> {
  let links: string[] = [];
  await expect
    .poll(async () => {
      const mails = await market.ask("mails", { to });
      const texts = mails.map((mail) => mail.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="));
      links = texts.flatMap((text) => new RegExp(`${path}/[\\w-]+(?:\\.[\\w-]+)?`).exec(text)?.[0] ?? []);
      return new Set(links).size;
    })
    .toBe(count);
  return links.at(-1)!;
}
