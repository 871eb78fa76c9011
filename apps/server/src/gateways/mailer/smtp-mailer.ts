import { Second } from "@marketday/domain/time";
import type { Transporter } from "nodemailer";

import { ReceiverUnavailable } from "../../lib/app-error.ts";
import { type Mailer, mailHeaders } from "./mailer.ts";

/**
 * Whether nodemailer failed before it sent a mail: no connection, no greeting, no login. A later timeout may concern only
 * this mail.
 */
const isServerUnavailable = (error: unknown) => {
  const { code, command, message } = error as { code?: string; command?: string; message?: string };
  return (
    (command === "CONN" && message !== "Timeout") || code === "EDNS" || code === "ECONNREFUSED" || code === "EAUTH"
  );
};

/**
 * Any SMTP server, by `SMTP_URL`. Fails after ten seconds without data (failures.md E2), or earlier without a greeting.
 * `limits`: ms.
 */
export function smtpMailer(
  url: string,
  from: string,
  limits = { greeting: 8 * Second.ms, silence: 10 * Second.ms },
): Mailer {
  let transport: Transporter | undefined;
  // Loaded with the first mail: a server that starts has none to send yet.
  const openTransport = async (): Promise<Transporter> => {
    const { createTransport } = await import("nodemailer");
    return (transport ??= createTransport({
      url,
      connectionTimeout: limits.greeting,
      greetingTimeout: limits.greeting,
      socketTimeout: limits.silence,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0]));
  };
  return {
    send: async (mail) => {
      const { unsubscribe: _, ...rest } = mail;
      try {
        await (await openTransport()).sendMail({ from, ...rest, headers: mailHeaders(mail) });
      } catch (error) {
        if (isServerUnavailable(error)) throw new ReceiverUnavailable((error as Error).message, { cause: error });
        throw error;
      }
    },
    describe: () => `SMTP at ${new URL(url).host}`,
  };
}
