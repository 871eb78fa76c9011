import { PERMISSIONS, ROLES, STAFF_PASSWORD_MIN } from "@marketday/domain/staff";
import { z } from "zod";

import { code, Email, Instant, line } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

const Done = z.object({ success: z.literal(true) });
const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(20_000);
/** What the browser returns of a new passkey (WebAuthn `RegistrationResponseJSON`). */
export const NewPasskey = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
  clientExtensionResults: z.record(z.string(), z.unknown()),
});
/** What the browser returns of a passkey that was used (WebAuthn `AuthenticationResponseJSON`). */
export const PasskeyProof = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
  clientExtensionResults: z.record(z.string(), z.unknown()),
});
/** WebAuthn options as JSON, for `@simplewebauthn/browser`. They hold for five minutes, once, in the browser that requested them. */
const PasskeyOptions = z.looseObject({ challenge: z.string() });

const StaffPassword = z
  .string("Enter a password")
  .min(STAFF_PASSWORD_MIN, `Use at least ${STAFF_PASSWORD_MIN} characters`)
  .max(1024);
const AppCode = z
  .string("Enter the six digits")
  .transform((text) => text.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the six digits"));

/** A role of a person; `hub` null: in every market. */
export const StaffRole = z.object({
  role: z.enum(ROLES),
  hub: z.object({ id: z.number().int(), name: z.string() }).nullable(),
});

/** The person who is signed in. */
export const Me = z
  .object({
    id: z.number().int(),
    name: z.string(),
    email: z.string(),
    roles: z.array(StaffRole),
    /** By permission, the markets in which it is granted: "all", or their ids. */
    permissions: z.partialRecord(z.enum(PERMISSIONS), z.union([z.literal("all"), z.array(z.number().int())])),
    /** Markets one may see, by name. */
    hubs: z.array(
      z.object({
        id: z.number().int(),
        slug: z.string(),
        name: z.string(),
        timeZone: z.string(),
        deliveryDay: z.string(),
      }),
    ),
    sessionEndsAt: Instant,
    /** Until when actions that need a step-up run without one; null: they need one. */
    steppedUpUntil: Instant.nullable(),
    passkeys: z.number().int(),
    recoveryCodesLeft: z.number().int(),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

/** Who is signed in, and what a page needs before anyone is. `passkeysWork` is false on plain http (except localhost). */
export const getSession = adminEndpoint({
  method: "GET",
  url: "/session",
  access: "public",
  schema: {
    response: {
      200: z.object({ me: Me.nullable(), marketName: z.string(), passkeysWork: z.boolean(), now: Instant }),
    },
  },
});

export const startPasskeySignIn = adminEndpoint({
  method: "POST",
  url: "/session/passkey/options",
  access: "public",
  schema: { response: { 200: PasskeyOptions } },
});

/** 401 `sign_in_failed` for anything that does not fit, with one sentence. Each of these replaces the browser's staff session. */
export const signInWithPasskey = adminEndpoint({
  method: "POST",
  url: "/session/passkey",
  access: "public",
  schema: { body: z.object({ proof: PasskeyProof }), response: { 200: Me } },
});
export const signInWithPassword = adminEndpoint({
  method: "POST",
  url: "/session/password",
  access: "public",
  schema: {
    body: z.object({
      email: Email,
      password: z.string("Enter your password").min(1, "Enter your password").max(1024),
      code: AppCode,
    }),
    response: { 200: Me },
  },
});
/** A recovery code signs in once. */
export const signInWithRecoveryCode = adminEndpoint({
  method: "POST",
  url: "/session/recovery",
  access: "public",
  schema: {
    body: z.object({ email: Email, code: code(60).min(1, "Enter a recovery code") }),
    response: { 200: Me },
  },
});
export const signOut = adminEndpoint({
  method: "DELETE",
  url: "/session",
  access: "public",
  schema: { response: { 200: Done } },
});

/** What an invitation or reset link is for. 404 `link_dead` when it was used, has expired (24 h) or never existed. */
export const getInvite = adminEndpoint({
  method: "GET",
  url: "/invites/:token",
  access: "public",
  schema: {
    params: z.object({ token: z.string().max(200) }),
    response: {
      200: z.object({
        name: z.string(),
        email: z.string(),
        roles: z.array(StaffRole),
        isReset: z.boolean(),
        expiresAt: Instant,
      }),
    },
  },
});
const InviteParams = z.object({ token: z.string().max(200) });
export const startInvitePasskey = adminEndpoint({
  method: "POST",
  url: "/invites/:token/passkey/options",
  access: "public",
  schema: {
    params: InviteParams,
    body: z.object({ name: line(100, "Enter your name") }),
    response: { 200: PasskeyOptions },
  },
});
const SetUp = z.object({ me: Me, recoveryCodes: z.array(z.string()) });
/** Uses the link: the passkey is stored, the person is signed in, and gets ten recovery codes, shown once. */
export const acceptInviteWithPasskey = adminEndpoint({
  method: "POST",
  url: "/invites/:token/passkey",
  access: "public",
  schema: {
    params: InviteParams,
    body: z.object({
      name: line(100, "Enter your name"),
      passkeyName: line(60, "Name this device"),
      passkey: NewPasskey,
    }),
    response: { 200: SetUp },
  },
});
/** The secret of an authenticator app, to be scanned: `qr` is an SVG picture as a data URL. Nothing is stored until a code of it is confirmed. */
export const startInvitePassword = adminEndpoint({
  method: "POST",
  url: "/invites/:token/password/options",
  access: "public",
  schema: {
    params: InviteParams,
    response: { 200: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }) },
  },
});
export const acceptInviteWithPassword = adminEndpoint({
  method: "POST",
  url: "/invites/:token/password",
  access: "public",
  schema: {
    params: InviteParams,
    body: z.object({
      name: line(100, "Enter your name"),
      password: StaffPassword,
      secret: z.string().regex(/^[A-Z2-7]{32}$/, "Scan the code again"),
      code: AppCode,
    }),
    response: { 200: SetUp },
  },
});

export const startStepUp = adminEndpoint({
  method: "POST",
  url: "/step-up/options",
  access: "signed_in",
  schema: { response: { 200: z.object({ passkey: PasskeyOptions.nullable(), hasPassword: z.boolean() }) } },
});
/** Proves again who is there; the session gets a new id. 401 `sign_in_failed` when it does not fit. */
export const stepUp = adminEndpoint({
  method: "POST",
  url: "/step-up",
  access: "signed_in",
  schema: {
    body: z.union([
      z.object({ proof: PasskeyProof }),
      z.object({ password: z.string().min(1).max(1024), code: AppCode }),
    ]),
    response: { 200: Me },
  },
});

/** A browser in which a person is signed in. */
export const OpenSession = z.object({
  id: z.string(),
  device: z.string(),
  createdAt: Instant,
  lastSeenAt: Instant,
  /** It is the one that calls. */
  isThis: z.boolean(),
});
export type OpenSession = z.infer<typeof OpenSession>;

/** One's own passkeys, sessions and codes. */
export const getSecurity = adminEndpoint({
  method: "GET",
  url: "/me/security",
  access: "signed_in",
  schema: {
    response: {
      200: z.object({
        passkeys: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            createdAt: Instant,
            lastUsedAt: Instant.nullable(),
            isSynced: z.boolean(),
          }),
        ),
        hasPassword: z.boolean(),
        recoveryCodesLeft: z.number().int(),
        sessions: z.array(OpenSession),
      }),
    },
  },
});
export const startPasskey = adminEndpoint({
  method: "POST",
  url: "/me/passkeys/options",
  access: "signed_in",
  stepUp: true,
  schema: { response: { 200: PasskeyOptions } },
});
export const addPasskey = adminEndpoint({
  method: "POST",
  url: "/me/passkeys",
  access: "signed_in",
  stepUp: true,
  schema: { body: z.object({ passkey: NewPasskey, name: line(60, "Name this device") }), response: { 200: Done } },
});
/** 409 `last_factor` for the only way to sign in. */
export const removePasskey = adminEndpoint({
  method: "DELETE",
  url: "/me/passkeys/:id",
  access: "signed_in",
  stepUp: true,
  schema: { params: z.object({ id: z.string().max(2000) }), response: { 200: Done } },
});
/** Ten new recovery codes, shown once; the old ones stop working. */
export const renewRecoveryCodes = adminEndpoint({
  method: "POST",
  url: "/me/recovery-codes",
  access: "signed_in",
  stepUp: true,
  schema: { response: { 200: z.object({ recoveryCodes: z.array(z.string()) }) } },
});
/** Ends one session, or (`others`) all but this one. */
export const endStaffSession = adminEndpoint({
  method: "DELETE",
  url: "/me/sessions/:id",
  access: "signed_in",
  schema: { params: z.object({ id: z.union([z.uuid(), z.literal("others")]) }), response: { 200: Done } },
});
