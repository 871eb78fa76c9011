/** The content of a mail, rendered as HTML and as plain text: paragraphs and tables of two columns. */
export interface MailContent {
  subject: string;
  heading: string;
  parts: (string | { rows: [label: string, value: string][]; total?: [string, string] })[];
  link?: { label: string; path: string };
  /** The address for replies, if not the market's. */
  replyTo?: string;
}

/** The data of a mail's row. */
export type MailData = Record<string, unknown>;

/** One kind of mail. `Deps`: the dependencies of the server, which name this type. */
export interface MailTemplateOf<Deps> {
  /** When it is sent, for the preview page. */
  about: string;
  /**
   * `always`: sent whatever the customer's preferences. `reminder`: sent only to customers who subscribed to the market's
   * messages (`subscribedAllMessages`), with an unsubscribe link.
   */
  sort: "always" | "reminder";
  /** The content at the time of sending. Null: the mail no longer applies and is dropped. Throws on invalid data. */
  content(deps: Deps, data: MailData, now: Date): MailContent | null | Promise<MailContent | null>;
  /** A made-up example for previews and the tests. */
  sample(market: string): MailContent;
}
