import { pluralIn } from "@marketday/domain/message-format";

// Inbox, in English.

const plural = pluralIn("en");
const whole = new Intl.NumberFormat("en-US");

export const title = "Inbox";
export const list = "Inbox";
export const views = "Filter by turn";
export const viewNames = { market: "Market’s turn", vendor: "Vendors’", all: "All", done: "Done" };
export const overdue = (count: number) =>
  plural(count, { one: "1 waits for more than a day", other: `${whole.format(count)} wait for more than a day` });
export const find = "Find in the inbox";
export const findHint = "Name, words, product or order";
export const kindFilter = "Kind";
export const allKinds = "All kinds";
export const assignedFilter = "Assigned";
export const anyone = "Anyone";
export const assignedMe = "Me";
export const assignedNone = "No one";
export const pages = "Pages of the inbox";

export const kinds = {
  message: "Message",
  question: "Question",
  review: "Review",
  endorsement: "Endorsement",
  problem: "Problem",
  contact: "Contact form",
  application: "Application",
};
export const forms: Readonly<Record<string, string>> = {
  vendor: "Vendor application",
  driver: "Driver application",
  job: "Job application",
};
export const turns = { market: "Market’s turn", vendor: "Vendor’s turn", shopper: "Answered", done: "Done" };
export const lateTurns = { market: "Market, late", vendor: "Vendor, late" };
export const hidden = "Hidden";
export const columns = {
  from: "From",
  words: "First words",
  about: "About",
  turn: "Turn",
  assignee: "Assigned",
  age: "Age",
};
export const noName = "Account deleted";
/** "Duck eggs, Duck Farm" */
export const about = (parts: readonly string[]) => parts.join(", ");
export const order = (number: string) => `Order ${number}`;
export const stars = (rating: number) => plural(rating, { one: `${rating} star of 5`, other: `${rating} stars of 5` });
/** "5 min", "3 h", "2 d" */
export function age(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
export const noWords = "No words";

export const failedList = "The inbox didn’t load.";
export const filtersKept = "Your filter is kept.";
export const empty = {
  market: "Nothing for the market to answer",
  vendor: "No vendor has to answer",
  all: "Nothing in the inbox yet",
  done: "Nothing is done yet",
};
export const emptyNote = (all: number) =>
  plural(all, { one: "1 item in all.", other: `${whole.format(all)} items in all.` });
export const nothingYet = "Messages, questions, reviews, problems and forms show up here.";
export const noneFound = (text: string) => `Nothing matches “${text}”`;
export const clearFilter = "Show all";

export const previous = "Previous item";
export const next = "Next item";
export const close = "Close the panel";
export const findKey = "Find in the inbox";
export const place = (at: number, count: number) => `${at} of ${count}`;
export const loadingItem = "the item";
export const failedItem = "This item didn’t load.";
export const gone = "There is no such item";
export const goneHelp = "It was deleted, or it is of a market that isn’t yours.";

// The item
export const conversation = "Conversation";
export const market = "Market";
export const marketBy = (name: string) => `${name}, for the market`;
export const vendor = "Vendor";
export const hiddenNote = (by: string, reason: string) =>
  `Hidden${by === "" ? "" : ` by ${by}`}: ${reason}. Only the writer and the staff see it.`;
export const hiddenAnswerNote = (by: string, reason: string) =>
  `The answer is hidden${by === "" ? "" : ` by ${by}`}: ${reason}. Only the staff sees it.`;
export const fields = "Filled in";
export const fieldNames: Readonly<Record<string, string>> = {
  business: "Farm or business",
  phone: "Phone",
  website: "Website",
  products: "Products",
  vehicle: "Vehicle",
  days: "Days",
  position: "Work",
  message: "Message",
  zipCode: "ZIP",
};
export const photos = "Photos";
export const photo = (number: number, count: number) => `Photo ${number} of ${count}`;
export const photoLarge = "Open it large";
export const sender = "From";
export const email = "Email";
export const phone = "Phone";
export const none = "None";
export const orderFacts = "Order";
export const refundThere = "Refund or cancel it in its panel";
export const total = "Total";
export const deliveryDay = "Delivery day";
export const assignee = "Assigned to";
export const noOne = "No one";
export const earlier = "Also from them";
export const noEarlier = "Nothing else.";

// Answer
export const reply = "Answer";
export const pickTemplate = "Insert a template";
export const manageTemplates = "Edit templates";
export const audience = {
  product: (name: string) => `Emailed to ${name} and shown on the product page, in the vendor’s name.`,
  inbox: (name: string) => `Emailed to ${name} and shown in their inbox, in the vendor’s name.`,
  email: (name: string) => `Emailed to ${name}.`,
};
export const them = "them";
export const send = "Send";
export const sending = "Sending…";
export const writeAnswer = "Write an answer.";
export const answerHeld = "The answer is held for 10 seconds.";
export const pendingTitle = (by: string) => `${by} is answering this`;
export const pendingOwn = "Your answer is about to be sent";
export const keptDraft = "Your text was not sent. It is kept here:";
export const undo = "Undo";
export const undoing = "Undoing…";
export const conflict =
  "This was answered or changed while you wrote. What is new is above; your text is kept and was not sent.";
export const unknown = "No answer from the server. It may have been sent: press Send again, it is sent once.";
export const revoked = "You may no longer answer here. Your text is kept.";

// Verbs
export const verbs = "What you can do";
export const verbNoAnswer = "No answer needed";
export const verbCloseProblem = "Close";
export const verbReopen = "Open again";
export const verbHide = "Hide";
export const verbShow = "Show again";
export const verbHideAnswer = "Hide the answer";
export const verbShowAnswer = "Show the answer again";
export const keyReply = "Answer";
export const keyAssign = "Assign";
export const keyHide = "Hide or show again";
export const keyDone = "Done, or open again";
export const saving = "Saving…";
export const hideTitle = "Hide this?";
export const hideEffect = "It disappears from the shop at once. The writer still sees it, as if nothing had happened.";
export const hideAnswerEffect = "The answer disappears from the shop at once.";
export const hideReason = "Why";
export const hideReasonHint = "For the audit log, like “Insults the vendor”";
export const reasonMissing = "Say why.";
export const closeTitle = "Close this report?";
export const closeReason = "What came of it";
export const closeReasonHint = "For the audit log, like “Refunded two eggs”";
export const keep = "Keep it";
export const doHide = "Hide";
export const doClose = "Close the report";
export const movedOn = "This was changed meanwhile. What is new is on the screen; try again.";

// Templates
export const templatesTitle = "Templates";
export const templatesIntro =
  "Everyone who answers can use and change them. {name} is the first name, {order} the order’s number.";
export const noTemplates = "No templates yet.";
export const loadingTemplates = "Templates are loading…";
export const templatesFailed = "The templates didn’t load.";
export const templateName = "Name";
export const templateText = "Text";
export const addTemplate = "Add a template";
export const saveTemplate = "Save";
export const editTemplate = (name: string) => `Edit ${name}`;
export const deleteTemplate = (name: string) => `Delete ${name}`;
export const deleteThis = "Delete";
export const templateDeleted = (name: string) => `“${name}” deleted`;
export const templateRestored = (name: string) => `“${name}” is back`;
export const templateMovedOn =
  "Someone else changed this template meanwhile. The list shows their version: check it, then delete it again.";
export const templateConflict =
  "Someone else changed this template meanwhile. Yours isn’t saved; press Save to replace theirs:";
export const templateGone =
  "Someone else deleted this template meanwhile. Yours isn’t saved; press Save to add it again.";
export const edit = "Edit";
export const nameMissing = "Name it.";
export const textMissing = "Write the text.";
export const cancel = "Cancel";
