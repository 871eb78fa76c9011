import type { Client } from "@marketday/db";
import type { z } from "zod";

import type { Deps } from "../../deps.ts";
import type { MailContent, MailData, MailTemplateOf } from "../../lib/mail-template.ts";

export type MailTemplate = MailTemplateOf<Deps>;

/** Templates by key: the `template` of a mail's row. */
export type MailTemplates = Readonly<Record<string, MailTemplate>>;

/** When the samples of previews are sent. */
export const SAMPLE_NOW = new Date("2026-11-23T18:00:00Z");

/** A mail that is rendered from its data alone. `now`: when it is sent. */
export const fromData = <T>(
  about: string,
  Data: z.ZodType<T>,
  render: (data: T, market: string, now: Date) => MailContent,
  sample: T,
): MailTemplate => ({
  about,
  sort: "always",
  content: ({ env }, data, now) => render(Data.parse(data), env.marketName, now),
  sample: (market) => render(sample, market, SAMPLE_NOW),
});

/** A mail that is rendered from a row as it is at the time of sending. The mail is dropped when `find` returns null. */
export const fromRow = <T>(
  about: string,
  find: (db: Client, data: MailData, now: Date) => Promise<T | null>,
  render: (row: T, data: MailData, now: Date) => MailContent,
  sample: T,
): MailTemplate => ({
  about,
  sort: "always",
  content: async ({ db }, data, now) => {
    const row = await find(db, data, now);
    return row && render(row, data, now);
  },
  sample: () => render(sample, {}, SAMPLE_NOW),
});
