import type { Deps } from "../../deps.ts";
import type { MailContent } from "./layout.ts";

/** One kind of mail. Its name is the `template` of a mail's row. */
export interface MailTemplate {
  /** When it is sent, for the preview page. */
  about: string;
  /**
   * `always`: the shopper has to know, whatever the preferences. `reminder`: only to who wants the market's messages
   * (`subscribedAllMessages`), and with a way out in the mail.
   */
  sort: "always" | "reminder";
  /** What it says, at the moment it is sent; null: it has become pointless and is dropped. Bad data throws. */
  content(deps: Deps, data: Record<string, unknown>, now: Date): MailContent | null | Promise<MailContent | null>;
  /** An example without anybody's data. */
  sample(): MailContent;
}
