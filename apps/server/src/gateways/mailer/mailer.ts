/** A rendered mail. `to` is one address, validated by the contract. */
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Address for replies, when not the sender; validated like `to`. */
  replyTo?: string;
  /** The same for every try of one mail, so that copies are recognized. */
  messageId: string;
  /** URL of the one-click unsubscribe (RFC 8058); null for transactional mails. */
  unsubscribe: string | null;
}

export interface Mailer {
  /** Rejects when the mail was not accepted, with `ReceiverUnavailable` when no mail would be; the caller retries later. */
  send(mail: OutgoingMail): Promise<void>;
  /** Destination of mails, printed at the start. */
  describe(): string;
}

/** Headers of every mail: no automatic replies (RFC 3834), and the unsubscribe link of mail programs. */
export const mailHeaders = ({ unsubscribe }: OutgoingMail): Record<string, string> => ({
  "Auto-Submitted": "auto-generated",
  ...(unsubscribe !== null && {
    "List-Unsubscribe": `<${unsubscribe}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  }),
});
