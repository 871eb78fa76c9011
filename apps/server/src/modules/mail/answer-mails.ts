import { answerTokens } from "../../lib/tokens.ts";
import { nameOf } from "../answers/pages.ts";
import { findLink, findMatter, type LinkRow, type MatterRow } from "../answers/store.ts";
import { findAnswered, findMessageForMail } from "./answer-store.ts";
import type { MailContent } from "./layout.ts";
import type { MailTemplate } from "./template.ts";

const ASKED = {
  thread: (matter: MatterRow) => ({
    subject: `${nameOf(matter)} wrote to ${matter.vendor}`,
    said: "wrote to you:",
    after: "Your answer goes to their inbox at the market.",
  }),
  question: (matter: MatterRow) => ({
    subject: `A question about ${matter.product}`,
    said: `asks about ${matter.product}:`,
    after: "Your answer appears under the question, for everyone to read.",
  }),
  review: (matter: MatterRow) => ({
    subject: `A review of ${matter.product}`,
    said: `gave ${matter.product} ${(matter.rating_halves ?? 0) / 2} of 5 stars:`,
    after: "If you answer, it goes to their inbox at the market and nowhere else.",
  }),
};

/** To a vendor: what somebody said, and the link to answer by. */
function vendorAsked(link: Pick<LinkRow, "matter">, matter: MatterRow, words: string, token: string): MailContent {
  const { subject, said, after } = ASKED[link.matter](matter);
  return {
    subject,
    heading: subject,
    parts: [`${nameOf(matter)} ${said}`, words, `${after} The link works once, for 30 days: keep it to yourself.`],
    link: { label: "Read and answer", path: `/answer/${token}` },
  };
}

/** To a customer: a vendor wrote. */
const vendorAnswer = ({
  vendor,
  message,
  thread_id,
}: {
  vendor: string;
  message: string;
  thread_id: number;
}): MailContent => ({
  subject: `${vendor} wrote to you`,
  heading: `${vendor} wrote to you`,
  parts: [message],
  link: { label: "Open the conversation", path: `/inbox/${thread_id}` },
});

interface Answered {
  vendor: string;
  product: string;
  slug: string;
  question: string;
  answer: string;
}
/** To a customer: their question about a product has its answer. */
const questionAnswered = ({ vendor, product, slug, question, answer }: Answered): MailContent => ({
  subject: `${vendor} answered your question`,
  heading: `About ${product}`,
  parts: [`You asked:\n${question}`, `${vendor} says:\n${answer}`],
  link: { label: "See the product", path: `/product/${slug}` },
});

const sampleMatter: MatterRow = {
  vendor: "Sugar Creek Farm",
  first_name: "Anna",
  last_name: "Brown",
  product: null,
  product_slug: null,
  rating_halves: null,
  answer: null,
  said: [],
};

/** Mails between customers and vendors. What was said is read when a mail is written: its row holds nobody's words. */
export const answerMails: Readonly<Record<string, MailTemplate>> = {
  "vendor-asked": {
    about: "A message, a question or a review: to its vendor, with the link to answer by",
    sort: "always",
    content: async ({ db, env }, { linkId, messageId }) => {
      const link = await findLink(db, String(linkId));
      const matter = link && !link.revoked_at ? await findMatter(db, link) : null;
      if (!link || !matter) return null;
      const words = messageId === undefined ? matter.said[0] : await findMessageForMail(db, Number(messageId));
      return words ? vendorAsked(link, matter, words.message, answerTokens(env.sessionSecrets).sign(link.id)) : null;
    },
    sample: () => vendorAsked({ matter: "thread" }, sampleMatter, "Do you have goose eggs in spring?", "example"),
  },
  "vendor-answer": {
    about: "A vendor wrote into a customer's inbox",
    sort: "always",
    content: async ({ db }, { messageId }) => {
      const message = await findMessageForMail(db, Number(messageId));
      return message && vendorAnswer(message);
    },
    sample: () => vendorAnswer({ vendor: "Sugar Creek Farm", message: "We do, from April on.", thread_id: 1 }),
  },
  "question-answered": {
    about: "A vendor answered a customer's question about a product",
    sort: "always",
    content: async ({ db }, { questionId }) => {
      const answered = await findAnswered(db, Number(questionId));
      return answered && questionAnswered(answered);
    },
    sample: () =>
      questionAnswered({
        vendor: "Sugar Creek Farm",
        product: "Duck eggs",
        slug: "duck-eggs",
        question: "Are they larger?",
        answer: "By half.",
      }),
  },
};
