import { readdir, readFile } from "node:fs/promises";

import PostalMime, { type Email } from "postal-mime";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { attacks } from "../../../test/attacks.ts";
import { createHub, createProduct } from "../../../test/factories.ts";
import { fakeSmtp } from "../../../test/fake-smtp.ts";
import { signIn } from "../../../test/sign-in.ts";
import { fileMailer } from "../../gateways/mailer/file-mailer.ts";
import { smtpMailer } from "../../gateways/mailer/smtp-mailer.ts";
import type { MailContent } from "../../lib/mail-template.ts";
import { renderMail } from "./layout.ts";
import { sendDueMail } from "./send-mail.ts";

const smtp = await fakeSmtp();
const from = "Little Wagon <hello@little-wagon.example>";
const market = await buildTestApp({ overrides: { mailer: smtpMailer(smtp.url, from) } });
const { db, deps } = market;

/** The same mail with this text in every place that may hold user input. */
const withText = (content: MailContent, text: string): MailContent => ({
  ...content,
  subject: text,
  heading: text,
  parts: content.parts.map((part) =>
    typeof part === "string"
      ? text
      : { rows: part.rows.map(() => [text, text]), ...(part.total ? { total: [text, text] } : {}) },
  ),
  ...(content.link ? { link: { ...content.link, label: text } } : {}),
});
const tagsOf = (html: string) => html.match(/<[^>]*>/g);

test.for(Object.entries(deps.mailTemplates))(
  "mail %s: user input adds no HTML tags",
  { tags: ["fail:H2"] },
  ([, template]) => {
    const content = template.sample("Little Wagon");
    for (const attack of attacks) {
      const harmless = renderMail(withText(content, attack.replaceAll(/[^\n]/g, "x")), deps.env);
      const mail = renderMail(withText(content, attack), deps.env);
      expect(tagsOf(mail.html)).toEqual(tagsOf(harmless.html));
      // The plain text contains the input unchanged.
      expect(mail.text).toContain(attack);
    }
  },
);

const SPLIT = "\r\nBcc: evil@evil.example\r\nX-Evil: yes\r\n\r\n<img src=x onerror=alert(1)>";
const expectIntact = (mail: Email, to: string) => {
  expect(mail.to?.map(({ address }) => address)).toEqual([to]);
  expect([mail.cc ?? [], mail.bcc ?? []]).toEqual([[], []]);
  expect(mail.headers.map(({ key }) => key)).not.toContain("x-evil");
  expect(mail.subject).not.toMatch(/[\r\n]/);
  expect(mail.html).not.toContain("<img");
};

test("mail headers: line breaks in names add no header", { tags: ["fail:H2", "fail:H13"] }, async () => {
  const hub = await createHub(db);
  const product = await createProduct(db, hub.id, { title: `Eggs${SPLIT}` });
  const to = "farm@example.com";
  await db.vendor.update({ where: { id: product.vendor_id }, data: { email: to, name: `Farm${SPLIT}` } });
  const shopper = await signIn(market, { hubId: hub.id, firstName: `Rosa${SPLIT}` });
  await shopper.post(`/products/${product.id}/questions`, { question: `Fresh?${SPLIT}` });
  await shopper.post(`/products/${product.id}/reviews`, { comment: `Good.${SPLIT}`, rating: 4 });
  await shopper.post(`/vendors/${product.vendor_id}/messages`, { message: `Hello.${SPLIT}` });
  expect(await sendDueMail(deps)).toBe(3);
  for (const mail of smtp.taken) {
    expectIntact(mail, to);
    expect(mail.text).toContain("evil@evil.example");
  }
});

test(
  "mail headers: line breaks in addresses add no header, over SMTP and in mail files",
  { tags: ["fail:H2"] },
  async () => {
    const dir = `${market.dataDir}/attacked`;
    const to = "farm@example.com";
    const mail = {
      to,
      subject: `Eggs${SPLIT}`,
      text: "Eggs",
      html: "<p>Eggs</p>",
      replyTo: `rosa@example.com${SPLIT}`,
      messageId: `<1@x>${SPLIT}`,
      unsubscribe: `https://x/unsubscribe/1${SPLIT}`,
    };
    await fileMailer(dir, from, deps.log).send(mail);
    const [name] = await readdir(dir);
    expectIntact(await PostalMime.parse(await readFile(`${dir}/${name}`)), to);
    smtp.taken.length = 0;
    await smtpMailer(smtp.url, from).send(mail);
    expectIntact(smtp.taken[0]!, to);
  },
);
