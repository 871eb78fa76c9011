import { API_KEY, PERMISSIONS } from "@marketday/domain/staff";
import { z } from "zod";

import { Id, IdParams, Instant, line } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

const Done = z.object({ success: z.literal(true) });

/** A key of a person. What it opens is what the person may do now, of its permissions. */
export const ApiKey = z
  .object({
    id: z.number().int(),
    name: z.string(),
    /** Its first characters, by which a person recognizes it. */
    start: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    /** Of these, what its person may do nowhere any more: the key does not open it. */
    lost: z.array(z.enum(PERMISSIONS)),
    createdAt: Instant,
    expiresAt: Instant,
    isExpired: z.boolean(),
    /** To the minute; null: not used yet. */
    lastUsedAt: Instant.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

/** One's own keys that were not revoked, the newest first. */
export const listApiKeys = adminEndpoint({
  method: "GET",
  url: "/me/keys",
  access: "signed_in",
  schema: { response: { 200: z.array(ApiKey) } },
});
/**
 * Creates a key for some of one's own permissions. `secret` is in this response only. 400 `invalid` for a permission that the person does
 * not have; 409 `too_many_keys`.
 */
export const createApiKey = adminEndpoint({
  method: "POST",
  url: "/me/keys",
  access: "signed_in",
  stepUp: true,
  schema: {
    body: z.object({
      name: line(API_KEY.nameMax, "Name the key"),
      permissions: z
        .array(z.enum(PERMISSIONS, "Choose what the key may do"), "Choose what the key may do")
        .min(1, "Choose what the key may do")
        .max(PERMISSIONS.length, "Choose what the key may do"),
      days: z
        .number(`Choose 1 to ${API_KEY.daysMax} days`)
        .int(`Choose 1 to ${API_KEY.daysMax} days`)
        .min(1, `Choose 1 to ${API_KEY.daysMax} days`)
        .max(API_KEY.daysMax, `Choose 1 to ${API_KEY.daysMax} days`),
    }),
    response: { 201: z.object({ key: ApiKey, secret: z.string() }) },
  },
});
/** Ends one of one's own keys at once. 404 when it is not one's own or was revoked. */
export const revokeApiKey = adminEndpoint({
  method: "DELETE",
  url: "/me/keys/:id",
  access: "signed_in",
  schema: { params: IdParams, response: { 200: Done } },
});
/** Ends one key of a person, or (`all`) all of them. 404 when it is not theirs or was revoked. */
export const revokeKeysOfStaff = adminEndpoint({
  method: "DELETE",
  url: "/staff/:id/keys/:key",
  access: { permission: "staff.write", where: "all" },
  stepUp: true,
  schema: {
    params: z.object({ id: Id, key: z.union([Id, z.literal("all")]) }),
    response: { 200: z.object({ revoked: z.number().int() }) },
  },
});
