import type { MailContent } from "../../lib/mail-template.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { fromRow, type MailTemplates } from "../mail/template.ts";
import { nameOf } from "./pages.ts";
import {
  findLink,
  findSubjectDetails,
  type LinkRow,
  type SubjectDetails,
  findAnsweredQuestion,
  findMessageForMail,
  type AnsweredQuestion,
  type VendorMessage,
} from "./store.ts";

const REQUESTS = {
  thread: (details: SubjectDetails) => ({
    subject: `${nameOf(details)} wrote to ${details.vendor}`,
    verb: "wrote to you:",
    after: "Your answer goes to their inbox at the market.",
  }),
  question: (details: SubjectDetails) => ({
    subject: `A question about ${details.product}`,
    verb: `asks about ${details.product}:`,
    after: "Your answer appears under the question, for everyone to read.",
  }),
  review: (details: SubjectDetails) => ({
    subject: `A review of ${details.product}`,
    verb: `gave ${details.product} ${(details.rating_halves ?? 0) / 2} of 5 stars:`,
    after: "If you answer, it goes to their inbox at the market and nowhere else.",
  }),
};

/** To a vendor: a customer's message, and the link to answer it. */
function renderRequest(
  link: Pick<LinkRow, "subject">,
  details: SubjectDetails,
  text: string,
  token: string,
): MailContent {
  const { subject, verb, after } = REQUESTS[link.subject](details);
  return {
    subject,
    heading: subject,
    parts: [`${nameOf(details)} ${verb}`, text, `${after} The link works once, for 30 days: keep it to yourself.`],
    link: { label: "Read and answer", path: `/answer/${token}` },
  };
}

/** To a customer: a message from a vendor. */
const vendorAnswer = ({ thread: { vendor }, message, thread_id }: VendorMessage): MailContent => ({
  subject: `${vendor.name} wrote to you`,
  heading: `${vendor.name} wrote to you`,
  parts: [message],
  link: { label: "Open the conversation", path: `/inbox/${thread_id}` },
});

/** To a customer: the answer to their question about a product. */
const questionAnswered = ({ question, answer, product: { title, slug, vendor } }: AnsweredQuestion): MailContent => ({
  subject: `${vendor.name} answered your question`,
  heading: `About ${title}`,
  parts: [`Your question:\n${question}`, `${vendor.name} says:\n${answer}`],
  link: { label: "See the product", path: `/product/${slug}` },
});

const sampleDetails: SubjectDetails = {
  vendor: "Sugar Creek Farm",
  customer: { id: 1, first_name: "Anna", last_name: "Brown", email: "anna@example.com", hub: null },
  product: null,
  rating_halves: null,
  isHidden: false,
  answer: null,
  messages: [],
};

/** Mails between customers and vendors. Messages are read at the time of sending: the mail's row holds only ids. */
export const answerMails: MailTemplates = {
  "vendor-asked": {
    about: "A message, a question or a review: to its vendor, with the link to answer it",
    sort: "always",
    content: async ({ db, env }, { linkId, messageId }) => {
      const link = await findLink(db, String(linkId));
      const details = link && !link.revoked_at ? await findSubjectDetails(db, link.subject, link.subject_id, 1) : null;
      if (!link || !details || details.isHidden) return null;
      const text = messageId === undefined ? details.messages[0] : await findMessageForMail(db, Number(messageId));
      return text
        ? renderRequest(link, details, text.message, vendorTokens("answer", env.sessionSecrets).sign(link.id))
        : null;
    },
    sample: () => renderRequest({ subject: "thread" }, sampleDetails, "Do you have goose eggs in spring?", "example"),
  },
  "vendor-answer": fromRow(
    "A vendor sent a message to a customer",
    (db, { messageId }) => findMessageForMail(db, Number(messageId)),
    vendorAnswer,
    { thread: { vendor: { name: "Sugar Creek Farm" } }, message: "We do, from April on.", thread_id: 1 },
  ),
  "question-answered": fromRow(
    "A vendor answered a customer's question about a product",
    (db, { questionId }) => findAnsweredQuestion(db, Number(questionId)),
    questionAnswered,
    {
      question: "Are they larger?",
      answer: "By half.",
      product: { title: "Duck eggs", slug: "duck-eggs", vendor: { name: "Sugar Creek Farm" } },
    },
  ),
};
