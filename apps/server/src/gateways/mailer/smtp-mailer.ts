import { Second } from "@marketday/domain/time";
import nodemailer from "nodemailer";

import { ReceiverUnavailable } from "../../lib/receiver-unavailable.ts";
import { type Mailer, mailHeaders } from "./mailer.ts";

/**
 * No connection, no greeting, no login: what nodemailer says before a mail was offered. A line that falls silent later
 * ("Timeout") may be about this mail alone.
 */
const isAway = (error: unknown) => {
  const { code, command, message } = error as { code?: string; command?: string; message?: string };
  return (
    (command === "CONN" && message !== "Timeout") || code === "EDNS" || code === "ECONNREFUSED" || code === "EAUTH"
  );
};

/**
 * Any SMTP server, by `SMTP_URL`. Ten seconds of silence and a hanging server is given up (failures.md E2); who does not
 * even greet is known before that. `limits`: ms.
 */
export function smtpMailer(
  url: string,
  from: string,
  limits = { greeting: 8 * Second.ms, silence: 10 * Second.ms },
): Mailer {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: limits.greeting,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof nodemailer.createTransport>[0]);
  return {
    send: async (mail) => {
      const { unsubscribe: _, ...rest } = mail;
      try {
        await transport.sendMail({ from, ...rest, headers: mailHeaders(mail) });
      } catch (error) {
        if (isAway(error)) throw new ReceiverUnavailable((error as Error).message, { cause: error });
        throw error;
      }
    },
    describe: () => `SMTP at ${new URL(url).host}`,
  };
}
