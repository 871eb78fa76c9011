import { z } from "zod";

import type { MailContent } from "../../lib/mail-template.ts";
import { fromData, fromRow, type MailTemplates } from "../mail/template.ts";
import { findLead, type LeadRow } from "./store.ts";

const Contact = z.object({ phone: z.string().nullable(), message: z.string() });
const Applicant = z.object({ kind: z.enum(["vendor", "driver", "job"]) });

/** A message from the contact form, to the market's support address; replies go to the sender. */
function contact({ name, email, zip_code: zipCode, data }: LeadRow): MailContent {
  const { phone, message } = Contact.parse(data);
  return {
    subject: `Message from ${name}`,
    heading: "New message from the contact form",
    replyTo: email,
    parts: [
      message,
      {
        rows: [
          ["Name", name],
          ["Email", email],
          ["Zip code", zipCode],
          ...(phone ? [["Phone", phone] as [string, string]] : []),
        ],
      },
      "Reply to this email to answer them.",
    ],
  };
}

/** To the sender of a contact message. It contains none of their text, so that the form cannot be used to send spam. */
const contactReceived = (): MailContent => ({
  subject: "We have your message",
  heading: "We have your message",
  parts: [
    "Our customer support team will read it and reply to this address.",
    "If you didn't write to us, ignore this email.",
  ],
});

const PURPOSES: Record<string, string> = {
  vendor: "to sell at the market",
  driver: "to drive for the market",
  job: "to work at the market",
};
const LABELS: Record<string, string> = {
  business: "Farm or business",
  phone: "Phone",
  website: "Website",
  vehicle: "Vehicle",
  days: "Days",
  position: "Work",
};

/** An application, to the market's support address. */
function application({ kind, email, name, zip_code: zipCode, data }: LeadRow): MailContent {
  const rows = Object.entries(LABELS).flatMap(([key, label]): [string, string][] => {
    const value = data[key];
    const text = Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : "";
    return text === "" ? [] : [[label, text]];
  });
  const texts = ["products", "message"]
    .map((key) => data[key])
    .filter((text) => typeof text === "string" && text !== "");
  return {
    subject: `${name} would like ${PURPOSES[kind]}`,
    heading: `${name} would like ${PURPOSES[kind]}`,
    replyTo: email,
    parts: [...(texts as string[]), { rows: [["Name", name], ["Email", email], ["Zip code", zipCode], ...rows] }],
  };
}

/** To the applicant. */
function applicationReceived({ kind }: z.infer<typeof Applicant>): MailContent {
  return {
    subject: "We have your application",
    heading: "We have your application",
    parts: [
      `Thank you for wanting ${PURPOSES[kind]}. We read every application and will reply to this address.`,
      "If this wasn't you, ignore this email.",
    ],
  };
}

/** Mails of the contact form and of applications: to the market and to the sender. */
export const leadMails: MailTemplates = {
  contact: fromRow(
    "A message from the contact form: to the market",
    (db, { leadId }) => findLead(db, Number(leadId)),
    contact,
    {
      name: "Ada Brown",
      email: "ada@example.com",
      kind: "contact",
      zip_code: "46032",
      data: { phone: null, message: "Do you deliver to the lake house in summer?" },
    },
  ),
  "contact-received": fromData("A message from the contact form: to its sender", z.unknown(), contactReceived, {}),
  application: fromRow("An application: to the market", (db, { leadId }) => findLead(db, Number(leadId)), application, {
    kind: "vendor",
    email: "ada@example.com",
    name: "Ada Brown",
    zip_code: "46032",
    data: { business: "Hill Farm", phone: "317-555-0142", website: "", products: "Eggs, and lamb in spring." },
  }),
  "application-received": fromData("An application: to the applicant", Applicant, applicationReceived, {
    kind: "vendor",
  }),
};
