/** A mail as it leaves the house. `to` is one address that passed the contract's strict check. */
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where an answer goes, when not to the sender; as strict as `to`. */
  replyTo?: string;
  /** The same for every try of one mail, so that a copy is recognised. */
  messageId: string;
  /** Where its reader ends mails of this sort with one click (RFC 8058); null: the mail has to be sent. */
  unsubscribe: string | null;
}

export interface Mailer {
  /** Rejects when the mail was not taken, with `ReceiverUnavailable` when no mail would be; the caller tries again later. */
  send(mail: OutgoingMail): Promise<void>;
  /** Where mails go, for the start's printout. */
  describe(): string;
}

/** Headers every mail has: holiday responders do not answer it (RFC 3834), mail programs show its own way out. */
export const mailHeaders = ({ unsubscribe }: OutgoingMail): Record<string, string> => ({
  "Auto-Submitted": "auto-generated",
  ...(unsubscribe !== null && {
    "List-Unsubscribe": `<${unsubscribe}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  }),
});
