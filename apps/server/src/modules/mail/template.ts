import type { Conn } from "@marketday/db";
import type { z } from "zod";

import type { Deps } from "../../deps.ts";
import type { MailContent, MailData, MailTemplateOf } from "../../lib/mail-template.ts";

export type MailTemplate = MailTemplateOf<Deps>;

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
