import { z } from "zod";

import type { LeadRow } from "../leads/store.ts";
import type { MailContent } from "./layout.ts";

const Contact = z.object({ phone: z.string().nullable(), message: z.string() });

/** Somebody wrote by the contact form: to the market's own address, to be answered to theirs. Bad data throws. */
export function contact({ name, email, zip_code: zipCode, data }: LeadRow): MailContent {
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

/** To whoever wrote. Nothing they typed stands in it: the form must not carry a stranger's words to anybody. */
export const contactReceived = (): MailContent => ({
  subject: "We have your message",
  heading: "We have your message",
  parts: [
    "Our customer support team will read it and reply to this address.",
    "If you didn't write to us, ignore this email.",
  ],
});

const WANTS: Record<string, string> = {
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

/** An application, to the market's own address. */
export function application({ kind, email, name, zip_code: zipCode, data: said }: LeadRow): MailContent {
  const rows = Object.entries(LABELS).flatMap(([key, label]): [string, string][] => {
    const value = said[key];
    const text = Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : "";
    return text === "" ? [] : [[label, text]];
  });
  const words = ["products", "message"]
    .map((key) => said[key])
    .filter((text) => typeof text === "string" && text !== "");
  return {
    subject: `${name} would like ${WANTS[kind]}`,
    heading: `${name} would like ${WANTS[kind]}`,
    replyTo: email,
    parts: [...(words as string[]), { rows: [["Name", name], ["Email", email], ["Zip code", zipCode], ...rows] }],
  };
}

/** To the applicant. Bad data throws. */
export function applicationReceived(data: unknown): MailContent {
  const { kind } = z.object({ kind: z.enum(["vendor", "driver", "job"]) }).parse(data);
  return {
    subject: "We have your application",
    heading: "We have your application",
    parts: [
      `Thank you for wanting ${WANTS[kind]}. We read every application and will reply to this address.`,
      "If this wasn't you, ignore this email.",
    ],
  };
}
