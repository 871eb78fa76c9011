import { z } from "zod";

import { Instant, line } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

const access = { permission: "settings.write", where: "all" } as const;

/** A setting of the server's environment. It is changed there, and read at the start. */
const Setting = z.object({
  /** As it is written in `.env`. */
  name: z.string(),
  /** What it is for, from `.env.example`. */
  about: z.string(),
  /** The value in use. Null: it has none, or it is secret. Of an address that may hold a password, only the host. */
  value: z.string().nullable(),
  isSet: z.boolean(),
  isSecret: z.boolean(),
  /** Why the value is probably not intended; null: nothing speaks against it. */
  warning: z.string().nullable(),
});

export const Environment = z
  .object({
    /** In the order of `.env.example`. */
    groups: z.array(z.object({ title: z.string(), settings: z.array(Setting) })),
    /** Names in the environment that resemble settings and are none, each with a sentence. */
    unknown: z.array(z.object({ name: z.string(), warning: z.string() })),
  })
  .meta({ id: "Environment" });
export type Environment = z.infer<typeof Environment>;

/** What the server was started with. */
export const getEnvironment = adminEndpoint({
  method: "GET",
  url: "/settings/environment",
  access,
  schema: { response: { 200: Environment } },
});

/** What the checks of `market doctor` found: the same kind of problem together, with what to do about it. */
export const CheckResult = z
  .object({
    checkedAt: Instant,
    /** As the hourly checks count. Work that waits for a person is among the findings, and no failed check. */
    failed: z.number().int(),
    findings: z.array(
      z.object({
        /** V1 … of docs/failures.md, or a word. */
        check: z.string(),
        /** "wrong": a failed check. "work": it waits for a person. "information": for information. */
        kind: z.enum(["wrong", "work", "information"]),
        advice: z.string(),
        problems: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: "CheckResult" });
export type CheckResult = z.infer<typeof CheckResult>;

/**
 * Runs every check now, and stores the result as the hourly checks do. Changes nothing else. While they run on a server, another request
 * there gets their result.
 */
export const runChecks = adminEndpoint({
  method: "POST",
  url: "/settings/checks",
  access,
  schema: { response: { 200: CheckResult } },
});

/** Work that failed and is tried again automatically. */
const StuckWork = z.object({
  /** The job: "mail", "wagon-passes". */
  job: z.string(),
  /** What it works on: the key of an email, "pass 7". */
  subject: z.string(),
  reason: z.string(),
  tries: z.number().int(),
  since: Instant,
  /** When it is tried again; null: at the next run of its queue, if at all. */
  nextAt: Instant.nullable(),
  /** Whether `retryWork` can try it. False for an automatic order that is over, and for what others try again. */
  canRetry: z.boolean(),
});

export const SystemHealth = z
  .object({
    /** Of the last checks. `failed` null: they have not run yet. `problems`: the first ones. */
    checks: z.object({
      failed: z.number().int().nullable(),
      problems: z.array(z.string()),
      checkedAt: Instant.nullable(),
    }),
    /** The oldest failed work first; `total` may be more than `work` has. */
    work: z.array(StuckWork),
    total: z.number().int(),
    versions: z.object({
      marketday: z.string(),
      node: z.string(),
      postgres: z.string(),
      /** The newest migration of the database. */
      migration: z.string(),
    }),
  })
  .meta({ id: "SystemHealth" });
export type SystemHealth = z.infer<typeof SystemHealth>;

export const getSystemHealth = adminEndpoint({
  method: "GET",
  url: "/settings/health",
  access,
  schema: { response: { 200: SystemHealth } },
});

export const Backups = z
  .object({
    /** The newest one that is known, wherever it is; null: none was taken. */
    lastAt: Instant.nullable(),
    /** Where the newest one was put; else where `market backup` puts it. */
    folder: z.string(),
    /** Those in the folder, as this server sees it, newest first. `takenAt` null: it is not complete. */
    found: z.array(z.object({ name: z.string(), takenAt: Instant.nullable(), bytes: z.number().int() })),
  })
  .meta({ id: "Backups" });
export type Backups = z.infer<typeof Backups>;

export const getBackups = adminEndpoint({
  method: "GET",
  url: "/settings/backups",
  access,
  schema: { response: { 200: Backups } },
});

/** Work by job and subject, as `getSystemHealth` names it. */
const WorkKey = z.object({ job: line(60), subject: line(300) });
/**
 * Tries failed work again now. Without `work`: all of it. `retried`: how much is tried; work that has succeeded meanwhile, or that has no
 * next try, is not counted.
 */
export const retryWork = adminEndpoint({
  method: "POST",
  url: "/settings/work/retry",
  access,
  schema: {
    body: z.object({ work: WorkKey.optional() }),
    response: { 200: z.object({ retried: z.number().int() }) },
  },
});

/** An email that the market sends. `canBeStopped`: only to shoppers who want reminders. */
const MailText = z.object({ name: z.string(), about: z.string(), subject: z.string(), canBeStopped: z.boolean() });
export type MailText = z.infer<typeof MailText>;

export const listMailTexts = adminEndpoint({
  method: "GET",
  url: "/settings/mails",
  access,
  schema: {
    response: {
      200: z.object({ mails: z.array(MailText), from: z.string(), isSent: z.boolean(), testTo: z.string() }),
    },
  },
});

const params = z.object({ name: z.string().regex(/^[a-z-]{1,60}$/) });
/** The email with made-up data, as plain text. 404 for an unknown name. */
export const getMailText = adminEndpoint({
  method: "GET",
  url: "/settings/mails/:name",
  access,
  schema: { params, response: { 200: MailText.extend({ text: z.string() }) } },
});

/** The same as an HTML document for a frame of the admin app. It runs no script and loads nothing. */
export const getMailDocument = adminEndpoint({
  method: "GET",
  url: "/settings/mails/:name/html",
  access,
  schema: { params, response: { 200: z.any() } },
});

/** Sends the email with made-up data to the person who requests it, through the same queue as every other. */
export const sendTestMail = adminEndpoint({
  method: "POST",
  url: "/settings/mails/:name/test",
  access,
  idempotent: true,
  schema: { params, response: { 200: z.object({ to: z.string() }) } },
});
