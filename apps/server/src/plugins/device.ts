import { Day, Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { deviceTokens } from "../lib/tokens.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Id of this browser when the account (an email in lower case) has logged in with it before; else null. */
    deviceOf(request: FastifyRequest, account: string, of?: AccountKind): string | null;
    /** Sets the cookie that records a login of the account in this browser. */
    rememberDevice(request: FastifyRequest, reply: FastifyReply, account: string, of?: AccountKind): void;
  }
}

/** Shoppers' accounts and the staff's have a cookie each: a shopper who registers with an owner's email gets no separate tries of the owner's sign-in. */
type AccountKind = "shopper" | "staff";

/** Cookie that marks browsers in which an account has logged in (failures.md F14). */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps: { env } }) => {
    const https = env.publicUrl?.startsWith("https:") ?? false;
    const prefix = https ? "__Host-" : "";
    const names = { shopper: `${prefix}mkt_device`, staff: `${prefix}mkt_staff_device` };
    const tokens = deviceTokens(env.sessionSecrets);
    // A cookie of one kind does not pass for the other.
    const subjectOf = (account: string, of: AccountKind) => (of === "staff" ? `staff:${account}` : account);
    const deviceOf = (request: FastifyRequest, account: string, of: AccountKind = "shopper") => {
      const cookie = app.parseCookie(request.headers.cookie ?? "")[names[of]];
      return cookie === undefined ? null : tokens.read(cookie, subjectOf(account, of));
    };
    app.decorate("deviceOf", deviceOf);
    app.decorate(
      "rememberDevice",
      (request: FastifyRequest, reply: FastifyReply, account: string, of: AccountKind = "shopper") => {
        if (deviceOf(request, account, of) !== null) return;
        void reply.setCookie(names[of], tokens.sign(subjectOf(account, of)), {
          path: "/",
          httpOnly: true,
          sameSite: "lax",
          secure: https,
          maxAge: (tokens.days * Day.ms) / Second.ms,
        });
      },
    );
  },
  { name: "device", dependencies: ["session"] },
);
