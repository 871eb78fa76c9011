import { findLead } from "../leads/store.ts";
import { application, applicationReceived, contact, contactReceived } from "./contact-templates.ts";
import type { MailTemplate } from "./template.ts";

const sampleContact = {
  name: "Ada Brown",
  email: "ada@example.com",
  kind: "contact",
  zip_code: "46032",
  data: { phone: null, message: "Do you deliver to the lake house in summer?" },
};
const sampleApplication = {
  kind: "vendor",
  email: "ada@example.com",
  name: "Ada Brown",
  zip_code: "46032",
  data: { business: "Hill Farm", phone: "317-555-0142", website: "", products: "Eggs, and lamb in spring." },
};

/** Mails of the contact form and of applications: to the market, and to whoever wrote. */
export const contactMails: Readonly<Record<string, MailTemplate>> = {
  contact: {
    about: "Somebody wrote by the contact form: to the market",
    sort: "always",
    content: async ({ db }, { leadId }) => {
      const lead = await findLead(db, Number(leadId));
      return lead && contact(lead);
    },
    sample: () => contact(sampleContact),
  },
  "contact-received": {
    about: "Somebody wrote by the contact form: to them",
    sort: "always",
    content: contactReceived,
    sample: contactReceived,
  },
  application: {
    about: "Somebody applied: to the market",
    sort: "always",
    content: async ({ db }, { leadId }) => {
      const lead = await findLead(db, Number(leadId));
      return lead && application(lead);
    },
    sample: () => application(sampleApplication),
  },
  "application-received": {
    about: "Somebody applied: to them",
    sort: "always",
    content: (_deps, data) => applicationReceived(data),
    sample: () => applicationReceived({ kind: "vendor" }),
  },
};
