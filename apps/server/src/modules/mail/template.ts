import type { Conn } from "@marketday/db";
import type { z } from "zod";

import type { Deps } from "../../deps.ts";
import type { MailContent } from "./layout.ts";

/** The data of a mail's row. */
export type MailData = Record<string, unknown>;

/** One kind of mail. */
export interface MailTemplate {
  /** When it is sent, for the preview page. */
  about: string;
  /**
   * `always`: sent whatever the customer's preferences. `reminder`: sent only to customers who subscribed to the market's
   * messages (`subscribedAllMessages`), with an unsubscribe link.
   */
  sort: "always" | "reminder";
  /** The content at the time of sending. Null: the mail no longer applies and is dropped. Throws on invalid data. */
  content(deps: Deps, data: MailData, now: Date): MailContent | null | Promise<MailContent | null>;
  /** A made-up example for the preview page and the tests. */
  sample(): MailContent;
}

/** Templates by key: the `template` of a mail's row. */
export type MailTemplates = Readonly<Record<string, MailTemplate>>;

/** A mail that is rendered from its data alone. */
export const fromData = <T>(
  about: string,
  Data: z.ZodType<T>,
  render: (data: T, market: string) => MailContent,
  sample: T,
): MailTemplate => ({
  about,
  sort: "always",
  content: ({ env }, data) => render(Data.parse(data), env.marketName),
  sample: () => render(sample, "the market"),
});

/** A mail that is rendered from a row as it is at the time of sending. The mail is dropped when `find` returns null. */
export const fromRow = <T>(
  about: string,
  find: (db: Conn, data: MailData) => Promise<T | null>,
  render: (row: T, data: MailData) => MailContent,
  sample: T,
): MailTemplate => ({
  about,
  sort: "always",
  content: async ({ db }, data) => {
    const row = await find(db, data);
    return row && render(row, data);
  },
  sample: () => render(sample, {}),
});
