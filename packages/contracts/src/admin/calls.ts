import type { Call, Endpoint } from "../endpoint.ts";
import type * as actions from "./actions.ts";
import type * as arrivals from "./arrivals.ts";
import type * as days from "./days.ts";
import type * as door from "./door.ts";
import type * as orders from "./orders.ts";
import type * as session from "./session.ts";
import type * as shorts from "./shorts.ts";
import type * as staff from "./staff.ts";
import type * as today from "./today.ts";

/** What the admin app needs of each endpoint at run time; as `../calls.ts` for the shop. */
const call = <E extends Endpoint>(method: E["method"], url: E["url"]): Call<E> => ({ method, url });

export const getSession = call<typeof session.getSession>("GET", "/session");
export const startPasskeySignIn = call<typeof session.startPasskeySignIn>("POST", "/session/passkey/options");
export const signInWithPasskey = call<typeof session.signInWithPasskey>("POST", "/session/passkey");
export const signInWithPassword = call<typeof session.signInWithPassword>("POST", "/session/password");
export const signInWithRecoveryCode = call<typeof session.signInWithRecoveryCode>("POST", "/session/recovery");
export const signOut = call<typeof session.signOut>("DELETE", "/session");
export const getInvite = call<typeof session.getInvite>("GET", "/invites/:token");
export const startInvitePasskey = call<typeof session.startInvitePasskey>("POST", "/invites/:token/passkey/options");
export const acceptInviteWithPasskey = call<typeof session.acceptInviteWithPasskey>("POST", "/invites/:token/passkey");
export const startInvitePassword = call<typeof session.startInvitePassword>("POST", "/invites/:token/password/options");
export const acceptInviteWithPassword = call<typeof session.acceptInviteWithPassword>(
  "POST",
  "/invites/:token/password",
);
export const startStepUp = call<typeof session.startStepUp>("POST", "/step-up/options");
export const stepUp = call<typeof session.stepUp>("POST", "/step-up");
export const getSecurity = call<typeof session.getSecurity>("GET", "/me/security");
export const startPasskey = call<typeof session.startPasskey>("POST", "/me/passkeys/options");
export const addPasskey = call<typeof session.addPasskey>("POST", "/me/passkeys");
export const removePasskey = call<typeof session.removePasskey>("DELETE", "/me/passkeys/:id");
export const renewRecoveryCodes = call<typeof session.renewRecoveryCodes>("POST", "/me/recovery-codes");
export const endStaffSession = call<typeof session.endStaffSession>("DELETE", "/me/sessions/:id");
export const listStaff = call<typeof staff.listStaff>("GET", "/staff");
export const inviteStaff = call<typeof staff.inviteStaff>("POST", "/staff");
export const putStaffRoles = call<typeof staff.putStaffRoles>("PUT", "/staff/:id/roles");
export const disableStaff = call<typeof staff.disableStaff>("POST", "/staff/:id/disable");
export const resetStaff = call<typeof staff.resetStaff>("POST", "/staff/:id/reset");
export const getToday = call<typeof today.getToday>("GET", "/today");
export const getDay = call<typeof days.getDay>("GET", "/hubs/:hub/days/:date");
export const createSheets = call<typeof days.createSheets>("POST", "/hubs/:hub/days/:date/sheets");
export const listActions = call<typeof actions.listActions>("GET", "/actions");
export const undoAction = call<typeof actions.undoAction>("POST", "/actions/:id/undo");
export const getShorts = call<typeof shorts.getShorts>("GET", "/hubs/:hub/days/:date/shorts");
export const planShort = call<typeof shorts.planShort>("POST", "/hubs/:hub/days/:date/shorts/plan");
export const countShort = call<typeof shorts.countShort>("PUT", "/hubs/:hub/days/:date/shorts");
export const settleShort = call<typeof shorts.settleShort>("POST", "/hubs/:hub/days/:date/shorts/:id/settle");
export const removeShort = call<typeof shorts.removeShort>("POST", "/hubs/:hub/days/:date/shorts/:id/remove");
export const getDayBoxes = call<typeof orders.getDayBoxes>("GET", "/hubs/:hub/days/:date/boxes");
export const getOrderBox = call<typeof orders.getOrderBox>("GET", "/orders/:id");
export const planCancel = call<typeof orders.planCancel>("POST", "/orders/:id/cancel/plan");
export const cancelOrder = call<typeof orders.cancelOrder>("POST", "/orders/:id/cancel");
export const resendMail = call<typeof orders.resendMail>("POST", "/orders/:id/mails/:mail/resend");
export const getDoor = call<typeof door.getDoor>("GET", "/hubs/:hub/days/:date/door");
export const recordDoorPayments = call<typeof door.recordDoorPayments>("POST", "/hubs/:hub/days/:date/door/payments");
export const undoDoorPayment = call<typeof door.undoDoorPayment>("POST", "/hubs/:hub/days/:date/door/payments/undo");
export const putArrival = call<typeof arrivals.putArrival>("PUT", "/hubs/:hub/days/:date/vendors/:vendor");
export const putAllArrived = call<typeof arrivals.putAllArrived>("PUT", "/hubs/:hub/days/:date/arrivals");
