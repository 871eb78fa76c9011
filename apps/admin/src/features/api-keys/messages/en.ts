import { pluralIn } from "@marketday/domain/message-format";

// API keys, in English.

const plural = pluralIn("en");
const listOf = (words: readonly string[]): string => new Intl.ListFormat("en", { type: "conjunction" }).format(words);

export const title = "API keys";
export const lead =
  "A key lets a program of yours call the back office as you, as far as the key allows. It stops when you lose the role.";
export const none = "You have no API key.";
export const failed = "Your API keys could not be loaded.";
export const loading = "your API keys";

export const titleOf = (who: string) => `API keys of ${who}`;
export const noneOf = (who: string) => `${who} has no API key.`;

/** "mkt_3fGh2k… · until Nov 28, 2027 · last used 2 hours ago" */
export const facts = (start: string, until: string, used: string | null) =>
  `${start}… · until ${until} · ${used === null ? "not used yet" : `last used ${used}`}`;
export const expiredFacts = (start: string, ended: string) => `${start}… · ended ${ended}`;
export const expired = "Expired";
/** "Can see orders and read the audit log" */
export const can = (purposes: readonly string[]) => `Can ${listOf(purposes)}`;
/** "No longer: refund orders", because the role is gone. */
export const lost = (purposes: readonly string[]) => `No longer, because the role is gone: ${listOf(purposes)}`;

// Creating one

export const create = "Create a key";
export const createLead = "Give each program its own key, with only what it needs.";
export const name = "Name";
export const nameHint = "What uses it: “Nightly export”.";
export const enterName = "Name the key";
export const permissions = "What it may do";
export const permissionsNote = "What needs your passkey each time isn’t here: a key can’t confirm that it’s you.";
export const choosePermission = "Choose what the key may do";
export const noPermissions = "Your roles have nothing that a key could do.";
export const until = "Works for";
export const days = (count: number) =>
  count === 365 ? "1 year" : plural(count, { one: `${count} day`, other: `${count} days` });
export const untilDay = (day: string) => `Until ${day}. Then programs that use it are refused.`;
export const creating = "Creating…";
/** After a lost answer, with what is wrong with the connection. */
export const createLost = (problem: string) =>
  `${problem} The key may have been created: before you try again, close this and revoke the key that you didn’t copy.`;
export const createSubject = (key: string) => `Create the API key “${key}”`;
export const createEffect = "A program or person that has the key can do this as you, without signing in.";

// Shown once

export const createdTitle = "Copy your new key";
export const createdLead =
  "It is shown only now. Keep it like a password: it isn’t stored here and can’t be shown again.";
export const keyLabel = "API key";
export const exampleLabel = "Try it";
export const copied = "Copied";
export const copyKey = "Copy the key";
export const copyExample = "Copy the example";
export const copyFailed = "The browser didn’t allow copying. Select the text and copy it.";
export const notKept = "Check the box once you have saved it.";
export const kept = "I’ve saved the key";
export const done = "Done";

// Revoking

export const revoke = "Revoke";
export const revokeOf = (key: string, start: string) => `Revoke ${key}, ${start}…`;
export const revoking = "Revoking…";
export const revokeTitle = (key: string, start: string) => `Revoke the API key “${key}”, ${start}…?`;
export const revokeEffect = "Programs that use it are refused at once. It can’t be undone.";
export const revoked = (key: string) => `${key} was revoked`;
export const removeExpired = "Remove";
export const removeOf = (key: string, start: string) => `Remove ${key}, ${start}…`;
export const removeTitle = (key: string, start: string) => `Remove the API key “${key}”, ${start}…?`;
export const removeEffect = "It has ended already. It leaves this list; the audit log keeps it.";
export const removed = (key: string) => `${key} was removed`;
export const revokeAll = "Revoke all keys";
export const revokeAllTitle = (who: string) => `Revoke all API keys of ${who}?`;
export const allRevoked = (who: string) => `All API keys of ${who} were revoked`;
export const cancel = "Cancel";
