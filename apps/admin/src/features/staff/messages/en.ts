import { pluralIn } from "@marketday/domain/message-format";

// The people who run the market, in English.

const plural = pluralIn("en");

export const title = "Staff";
export const count = (people: number) => plural(people, { one: `${people} person`, other: `${people} people` });
export const none = "No one works here yet";
export const failed = "The staff could not be loaded.";
export const gone = "This person is not in the list.";

export const person = "Person";
export const roles = "Roles";
export const signIn = "Signs in with";
export const seen = "Last seen";
export const neverSeen = "Not yet";
export const you = "(you)";

export const states = {
  active: "Active",
  invited: "Invited",
  expired: "Link expired",
  disabled: "Disabled",
} as const;

/** "2 passkeys, 8 codes left" */
export const factors = (passkeys: number, hasPassword: boolean, codes: number) =>
  [
    passkeys > 0 && plural(passkeys, { one: `${passkeys} passkey`, other: `${passkeys} passkeys` }),
    hasPassword && "password",
    (passkeys > 0 || hasPassword) && plural(codes, { one: `${codes} code left`, other: `${codes} codes left` }),
  ]
    .filter(Boolean)
    .join(", ") || "Nothing yet";

// Inviting

export const invite = "Invite someone";
export const inviteLead = "They get an email with a link that works for 24 hours and once.";
export const email = "Email";
export const enterEmail = "Enter an email address";
export const name = "Name";
export const enterName = "Enter a name";
export const sendInvite = "Send the invitation";
export const sending = "Sending…";
export const inviteSubject = (who: string) => `Invite ${who}`;
export const inviteEffect = (mail: string) =>
  `An email with a link goes to ${mail}. The person who opens it signs in with these roles.`;
export const invited = (mail: string) => `Invitation sent to ${mail}`;
export const doInvite = "Invite";

// Roles

export const chooseRole = "Choose at least one role";
export const chooseMarket = (role: string) => `Choose a market for ${role}, or all markets`;
export const where = (role: string) => `Where: ${role}`;
export const everywhere = "All markets";
export const chosen = "Chosen markets";
export const purpose = (words: string) => `Can ${words}.`;

// One person

export const whatCan = (who: string) => `What can ${who} do?`;
export const canNothing = (who: string) => `${who} can’t sign in any more.`;
export const canOnceSetUp = (who: string) => `Once ${who} has opened the link:`;
export const canAfterSaving = "After saving the roles above:";
export const canWithoutRole = (who: string) => `Without a role, ${who} can do nothing. Choose at least one.`;
export const canNotYet = (role: string) => `Choose a market for ${role}, or all markets, to see what changes.`;
export const saveRoles = "Save roles";
export const saving = "Saving…";
export const rolesSubject = (who: string) => `Change what ${who} can do`;
export const rolesEffect = (who: string, roleNames: readonly string[]) =>
  `${who} becomes ${new Intl.ListFormat("en", { type: "conjunction" }).format(roleNames)}, at once, also where they are signed in now.`;
export const doSave = "Save roles";
export const rolesSaved = (who: string) => `Roles of ${who} saved`;
export const access = "Access";

export const accessFailed = "Where this person is signed in, and their API keys, could not be loaded.";
export const accessLoading = "where this person is signed in";
export const signedInWhere = (who: string) => `Where ${who} is signed in`;
export const signedInNowhere = (who: string) => `${who} isn’t signed in anywhere.`;
export const endOneSubject = (who: string, device: string) => `Sign ${who} out of ${device}?`;
export const endOneEffect = (who: string) =>
  `It ends at once. ${who} can sign in again, and keeps what was typed there.`;
export const oneEnded = (who: string, device: string) => `${who} was signed out of ${device}`;
export const endAll = "Sign out everywhere";
export const endAllSubject = (who: string) => `Sign ${who} out everywhere?`;
export const endAllEffect = (who: string) => `Every browser is signed out at once. ${who} can sign in again.`;
export const allEnded = (who: string) => `${who} was signed out everywhere`;
export const endOthersEffect = "Every other browser of yours is signed out at once. This one stays signed in.";
export const ownSessionNote = "This is you: the browser that you’re using stays signed in. Sign out in the menu.";

export const disable = "Disable";
export const disabling = "Disabling…";
export const disableSubject = (who: string) => `Disable ${who}?`;
export const disableEffect = (who: string) =>
  `${who} is signed out everywhere at once and can’t sign in again. API keys stop too. What they did stays in the audit log under their name.`;
export const disableDo = (who: string) => `Disable ${who}`;
export const disabled = (who: string) => `${who} was disabled`;

export const reset = "Send a new link";
export const resetting = "Sending…";
export const resetSubject = (who: string) => `Send ${who} a new link?`;
export const resetEffect = (who: string, mail: string) =>
  `${who} is signed out everywhere, and every passkey, password and recovery code of theirs is deleted. API keys stop working. A link goes to ${mail} to set them up again.`;
export const resendEffect = (who: string, mail: string) =>
  `A new link for ${who} goes to ${mail}. It works for 24 hours; the one before stops working.`;
export const enableEffect = (who: string, mail: string) =>
  `${who} gets access again, with the same roles as before. A link goes to ${mail} to set up a passkey.`;
export const resetDo = (who: string) => `Send ${who} a new link`;
export const resetDone = (mail: string) => `New link sent to ${mail}`;
export const resetNote = "For a lost passkey, or a link that has expired.";
export const disableNote = "For someone who no longer works here.";
export const cancel = "Cancel";

export const lastOwner = (who: string) =>
  `${who} is the only owner who can sign in. Make someone else an owner first, so that the market isn’t locked.`;

// Two people at once

export const conflict = (who: string) => `Someone else changed ${who} in the meantime`;
export const conflictNow = "Now saved";
export const conflictYours = "Your choice";
export const keepYours = "Save your choice";
export const takeTheirs = "Keep what is saved";
export const conflictSeen = (who: string) => `${who} was changed in the meantime. Look again, then repeat it.`;
