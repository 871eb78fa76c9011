import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { answerTokens } from "../../lib/tokens.ts";
import type { MailContent } from "../mail/layout.ts";
import { fromRow, type MailTemplates } from "../mail/template.ts";
import { nameOf } from "./pages.ts";
import { findLink, findMatter, type LinkRow, type MatterRow } from "./store.ts";

const VendorMessage = z.object({ vendor: z.string(), message: z.string(), thread_id: z.number() });
type VendorMessage = z.infer<typeof VendorMessage>;

/** A message of a thread, for its mail; null when it was deleted. */
const findMessageForMail = (conn: Conn, messageId: number): Promise<VendorMessage | null> =>
  queryOne(
    conn,
    sql`select v.name as vendor, m.message, t.id as thread_id from message m join thread t on t.id = m.thread_id
        join vendor v on v.id = t.vendor_id where m.id = ${messageId}::int`,
    VendorMessage,
  );

const AnsweredQuestion = z.object({
  vendor: z.string(),
  product: z.string(),
  slug: z.string(),
  question: z.string(),
  answer: z.string(),
});
type AnsweredQuestion = z.infer<typeof AnsweredQuestion>;

/** A question with its answer; null when it has none. */
const findAnsweredQuestion = (conn: Conn, questionId: number): Promise<AnsweredQuestion | null> =>
  queryOne(
    conn,
    sql`select v.name as vendor, p.title as product, p.slug, q.question, q.answer from question q
        join product p on p.id = q.product_id join vendor v on v.id = p.vendor_id
        where q.id = ${questionId}::int and q.answer is not null`,
    AnsweredQuestion,
  );

const REQUESTS = {
  thread: (matter: MatterRow) => ({
    subject: `${nameOf(matter)} wrote to ${matter.vendor}`,
    verb: "wrote to you:",
    after: "Your answer goes to their inbox at the market.",
  }),
  question: (matter: MatterRow) => ({
    subject: `A question about ${matter.product}`,
    verb: `asks about ${matter.product}:`,
    after: "Your answer appears under the question, for everyone to read.",
  }),
  review: (matter: MatterRow) => ({
    subject: `A review of ${matter.product}`,
    verb: `gave ${matter.product} ${(matter.rating_halves ?? 0) / 2} of 5 stars:`,
    after: "If you answer, it goes to their inbox at the market and nowhere else.",
  }),
};

/** To a vendor: a customer's message, and the link to answer it. */
function vendorAsked(link: Pick<LinkRow, "matter">, matter: MatterRow, text: string, token: string): MailContent {
  const { subject, verb, after } = REQUESTS[link.matter](matter);
  return {
    subject,
    heading: subject,
    parts: [`${nameOf(matter)} ${verb}`, text, `${after} The link works once, for 30 days: keep it to yourself.`],
    link: { label: "Read and answer", path: `/answer/${token}` },
  };
}

/** To a customer: a message from a vendor. */
const vendorAnswer = ({ vendor, message, thread_id }: VendorMessage): MailContent => ({
  subject: `${vendor} wrote to you`,
  heading: `${vendor} wrote to you`,
  parts: [message],
  link: { label: "Open the conversation", path: `/inbox/${thread_id}` },
});

/** To a customer: the answer to their question about a product. */
const questionAnswered = ({ vendor, product, slug, question, answer }: AnsweredQuestion): MailContent => ({
  subject: `${vendor} answered your question`,
  heading: `About ${product}`,
  parts: [`Your question:\n${question}`, `${vendor} says:\n${answer}`],
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
  messages: [],
};

/** Mails between customers and vendors. Messages are read at the time of sending: the mail's row holds only ids. */
export const answerMails: MailTemplates = {
  "vendor-asked": {
    about: "A message, a question or a review: to its vendor, with the link to answer it",
    sort: "always",
    content: async ({ db, env }, { linkId, messageId }) => {
      const link = await findLink(db, String(linkId));
      const matter = link && !link.revoked_at ? await findMatter(db, link) : null;
      if (!link || !matter) return null;
      const text = messageId === undefined ? matter.messages[0] : await findMessageForMail(db, Number(messageId));
      return text ? vendorAsked(link, matter, text.message, answerTokens(env.sessionSecrets).sign(link.id)) : null;
    },
    sample: () => vendorAsked({ matter: "thread" }, sampleMatter, "Do you have goose eggs in spring?", "example"),
  },
  "vendor-answer": fromRow(
    "A vendor sent a message to a customer",
    (db, { messageId }) => findMessageForMail(db, Number(messageId)),
    vendorAnswer,
    { vendor: "Sugar Creek Farm", message: "We do, from April on.", thread_id: 1 },
  ),
  "question-answered": fromRow(
    "A vendor answered a customer's question about a product",
    (db, { questionId }) => findAnsweredQuestion(db, Number(questionId)),
    questionAnswered,
    {
      vendor: "Sugar Creek Farm",
      product: "Duck eggs",
      slug: "duck-eggs",
      question: "Are they larger?",
      answer: "By half.",
    },
  ),
};
