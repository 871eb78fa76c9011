import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { FastifyBaseLogger } from "fastify";

import { sha256 } from "../../lib/tokens.ts";
import { type Mailer, mailHeaders } from "./mailer.ts";

/** The default: writes every mail to a file that mail programs can open, and logs a line (docs/product.md §12). */
export function fileMailer(directory: string, from: string, log: FastifyBaseLogger): Mailer {
  return {
    async send(mail) {
      // Loaded with the first mail, as in smtp-mailer.ts.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
      const { unsubscribe: _, ...rest } = mail;
      const rendered = await transport.sendMail({ from, ...rest, headers: mailHeaders(mail) });
      const name = `${mail.subject
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .slice(0, 60)}-${sha256(mail.messageId).slice(0, 8)}.eml`;
      await mkdir(directory, { recursive: true });
      const path = join(directory, name);
      await writeFile(`${path}.part`, rendered.message as Buffer);
      await rename(`${path}.part`, path);
      log.info({ mail: name }, "mail written");
    },
    describe: () => directory,
  };
}
