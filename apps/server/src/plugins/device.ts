import { Day, Second } from "@marketday/domain/time";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import type { Deps } from "../deps.ts";
import { deviceTokens } from "../lib/tokens.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Id of this browser when the account (an email in lower case) has logged in with it before; else null. */
    deviceOf(request: FastifyRequest, account: string): string | null;
    /** Sets the cookie that records a login of the account in this browser. */
    rememberDevice(request: FastifyRequest, reply: FastifyReply, account: string): void;
  }
}

/** Cookie that marks browsers in which an account has logged in (failures.md F14). */
export default fp<{ deps: Deps }>(
  async (app: FastifyInstance, { deps: { env } }) => {
    const https = env.publicUrl?.startsWith("https:") ?? false;
    const name = https ? "__Host-mkt_device" : "mkt_device";
    const tokens = deviceTokens(env.sessionSecrets);
    const deviceOf = (request: FastifyRequest, account: string) => {
      const cookie = app.parseCookie(request.headers.cookie ?? "")[name];
      return cookie === undefined ? null : tokens.read(cookie, account);
    };
    app.decorate("deviceOf", deviceOf);
    app.decorate("rememberDevice", (request: FastifyRequest, reply: FastifyReply, account: string) => {
      if (deviceOf(request, account) !== null) return;
      void reply.setCookie(name, tokens.sign(account), {
        path: "/",
        httpOnly: true,
        sameSite: "lax",
        secure: https,
        maxAge: (tokens.days * Day.ms) / Second.ms,
      });
    });
  },
  { name: "device", dependencies: ["session"] },
);
