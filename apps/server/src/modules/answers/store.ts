import type { Client, Prisma, Tx } from "@marketday/db";

/** What a vendor answers: a thread of the inbox, a question about a product or a review. */
export const SUBJECTS = ["thread", "question", "review"] as const;
export type Subject = (typeof SUBJECTS)[number];

const linkColumns = {
  id: true,
  vendor_id: true,
  subject: true,
  subject_id: true,
  expires_at: true,
  used_at: true,
  revoked_at: true,
} satisfies Prisma.answer_linkSelect;

export type LinkRow = Prisma.answer_linkGetPayload<{ select: typeof linkColumns }> & { subject: Subject };

export const findLink = async (db: Client, id: string): Promise<LinkRow | null> =>
  (await db.answer_link.findUnique({ where: { id }, select: linkColumns })) as LinkRow | null;

/** Spends a live link; null if it is used, revoked, expired or unknown. One statement: concurrent answers spend it once. */
export async function spendLink(tx: Tx, id: string, now: Date): Promise<LinkRow | null> {
  const [row] = await tx.answer_link.updateManyAndReturn({
    where: { id, used_at: null, revoked_at: null, expires_at: { gt: now } },
    data: { used_at: now },
    select: linkColumns,
  });
  return (row ?? null) as LinkRow | null;
}

/** Revokes the live link of a subject: the link in mails stops working. False if there was none. */
export async function revokeLink(db: Client, subject: Subject, subjectId: number, now: Date): Promise<boolean> {
  const { count } = await db.answer_link.updateMany({
    where: { subject, subject_id: subjectId, used_at: null, revoked_at: null },
    data: { revoked_at: now },
  });
  return count > 0;
}

const author = {
  select: { id: true, first_name: true, last_name: true, email: true, hub: { select: { time_zone: true } } },
} satisfies { select: Prisma.customerSelect };
const product = {
  select: { title: true, vendor: { select: { name: true } } },
} satisfies { select: Prisma.productSelect };

/** A thread, question or review with its customer, product and messages. */
export interface SubjectDetails {
  vendor: string;
  customer: Prisma.customerGetPayload<typeof author>;
  /** Null for a thread. */
  product: string | null;
  /** Of a review. */
  rating_halves: number | null;
  /** Hidden by the staff: no one but its writer and the staff reads it. */
  isHidden: boolean;
  /** Of a question; null before it is answered. */
  answer: { message: string; created_at: Date } | null;
  /** Without the answer of a question; oldest first. `sender`: C customer, U vendor. */
  messages: { sender: string; created_at: Date; message: string }[];
}

/** A thread with its last messages, at most `most`; null if it was deleted. */
async function findThreadDetails(db: Client, id: number, most: number): Promise<SubjectDetails | null> {
  const thread = await db.thread.findUnique({
    where: { id },
    select: {
      customer: author,
      vendor: { select: { name: true } },
      messages: {
        select: { sender: true, created_at: true, message: true },
        orderBy: [{ created_at: "desc" }, { id: "desc" }],
        take: most,
      },
    },
  });
  if (!thread) return null;
  const { customer, vendor, messages } = thread;
  return {
    vendor: vendor.name,
    customer,
    product: null,
    rating_halves: null,
    isHidden: false,
    answer: null,
    messages: messages.toReversed(),
  };
}

async function findQuestionDetails(db: Client, id: number): Promise<SubjectDetails | null> {
  const found = await db.question.findUnique({
    where: { id },
    select: {
      question: true,
      created_at: true,
      answer: true,
      answered_at: true,
      hidden_at: true,
      customer: author,
      product,
    },
  });
  if (!found) return null;
  const { answer, answered_at, created_at } = found;
  return {
    vendor: found.product.vendor.name,
    customer: found.customer,
    product: found.product.title,
    rating_halves: null,
    isHidden: found.hidden_at !== null,
    answer: answer === null ? null : { message: answer, created_at: answered_at ?? created_at },
    messages: [{ sender: "C", created_at, message: found.question }],
  };
}

async function findReviewDetails(db: Client, id: number): Promise<SubjectDetails | null> {
  const found = await db.review.findUnique({
    where: { id },
    select: { rating_halves: true, comment: true, created_at: true, hidden_at: true, customer: author, product },
  });
  if (!found) return null;
  return {
    vendor: found.product.vendor.name,
    customer: found.customer,
    product: found.product.title,
    rating_halves: found.rating_halves,
    isHidden: found.hidden_at !== null,
    answer: null,
    messages: [{ sender: "C", created_at: found.created_at, message: found.comment }],
  };
}

/** A thread (with its last messages, at most `most`), question or review; null if it was deleted. */
export function findSubjectDetails(
  db: Client,
  subject: Subject,
  subjectId: number,
  most: number,
): Promise<SubjectDetails | null> {
  if (subject === "thread") return findThreadDetails(db, subjectId, most);
  return subject === "question" ? findQuestionDetails(db, subjectId) : findReviewDetails(db, subjectId);
}

/** Answers an open question; null if it was deleted or answered. */
export async function answerQuestion(
  tx: Tx,
  questionId: number,
  answer: string,
  now: Date,
): Promise<{ customer_id: number } | null> {
  const [question] = await tx.question.updateManyAndReturn({
    where: { id: questionId, answer: null },
    data: { answer, answered_at: now },
    select: { customer_id: true },
  });
  return question ?? null;
}

/** Locks the thread of a customer and a vendor until the transaction ends; inserts it if there is none. */
export async function lockThreadWith(tx: Tx, customerId: number, vendorId: number, now: Date): Promise<number> {
  const people = { customer_id: customerId, vendor_id: vendorId };
  const { id } = await tx.thread.upsert({
    where: { customer_id_vendor_id: people },
    create: { ...people, updated_at: now },
    // Changes nothing, but locks the row.
    update: people,
    select: { id: true },
  });
  return id;
}

/** Adds a message to a locked thread and returns its id. A customer's message marks the thread read. */
export async function insertMessage(
  tx: Tx,
  threadId: number,
  { sender, message, now }: { sender: "C" | "U"; message: string; now: Date },
): Promise<number> {
  const { id } = await tx.message.create({
    data: { thread_id: threadId, sender, message, created_at: now },
    select: { id: true },
  });
  await tx.thread.update({
    where: { id: threadId },
    data: { updated_at: now, ...(sender === "C" && { read_at: now }) },
    select: { id: true },
  });
  return id;
}

const mailedMessage = {
  message: true,
  thread_id: true,
  thread: { select: { vendor: { select: { name: true } } } },
} satisfies Prisma.messageSelect;
export type VendorMessage = Prisma.messageGetPayload<{ select: typeof mailedMessage }>;

/** A message of a thread, for its mail; null when it was deleted. */
export const findMessageForMail = (db: Client, messageId: number): Promise<VendorMessage | null> =>
  db.message.findUnique({ where: { id: messageId }, select: mailedMessage });

const mailedQuestion = {
  question: true,
  answer: true,
  product: { select: { title: true, slug: true, vendor: { select: { name: true } } } },
} satisfies Prisma.questionSelect;
export type AnsweredQuestion = Prisma.questionGetPayload<{ select: typeof mailedQuestion }>;

/** A question with its answer; null when it has none, or it is hidden. */
export const findAnsweredQuestion = (db: Client, questionId: number): Promise<AnsweredQuestion | null> =>
  db.question.findFirst({
    where: { id: questionId, answer: { not: null }, answer_hidden_at: null },
    select: mailedQuestion,
  });
