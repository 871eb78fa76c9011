import { Id } from "@marketday/contracts/common";
import { can } from "@marketday/domain/staff";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";

import type { Deps } from "../../deps.ts";
import type { AppError } from "../../lib/app-error.ts";
import { html } from "../../lib/html.ts";
import { contactOf, sendPlainPage } from "../../lib/plain-page.ts";
import { findStaffOrder } from "../orders/staff-order-store.ts";

/** The order number of a code; null for any other text. */
const orderIdOf = (code: string): number | null => (/^\d+$/.test(code) && Id.safeParse(code).data) || null;

const orderPage = (orderId: number): string => `/admin/orders/${orderId}`;

/**
 * Where the QR code of a label leads (docs/product.md §14). Signed-in staff who may read the order get it in the admin app. Everyone
 * else gets the same page for any code: it has nothing of an order, not even whether there is one.
 */
export const totePage =
  ({ db, env }: Deps) =>
  async (app: FastifyInstance) => {
    const { marketName } = env;
    const reach = contactOf(env);
    const staffLink = (orderId: number | null) =>
      html`<p><a href="${orderId ? orderPage(orderId) : "/admin"}">For the staff: sign in and open the order</a></p>`;

    /** The box of an order that the person of a request may read; null also without a session. */
    const findReadable = async (request: FastifyRequest, orderId: number): Promise<number | null> => {
      const session = await app.recheckStaffSession(request);
      const order = session && (await findStaffOrder(db, orderId));
      return order && can(session.actor.grants, "orders.read", order.hub.id) ? order.boxId : null;
    };

    // The code has capitals, and browsers keep those of a path.
    for (const url of ["/t/:code", "/T/:code"])
      app.get<{ Params: { code: string }; Querystring: { again?: unknown } }>(
        url,
        {
          config: { session: "none" },
          schema: { hide: true },
          // A camera opens the address in a browser, where a person reads what went wrong.
          errorHandler: (error, request, reply) => {
            const { status, statusCode = status ?? 500 } = error as Partial<AppError & FastifyError>;
            if (statusCode < 500) throw error;
            request.log.error({ err: error }, "request failed");
            void sendPlainPage(
              reply,
              503,
              "Something went wrong",
              html`<p>Please try again in a moment. If this tote isn’t yours, please ${reach}.</p>
${staffLink(orderIdOf(request.params.code))}`,
            );
          },
        },
        async (request, reply) => {
          const orderId = orderIdOf(request.params.code);
          const boxId = orderId && (await findReadable(request, orderId));
          if (boxId) return reply.header("cache-control", "no-store").redirect(orderPage(boxId), 303);
          // A browser that another app opened may leave out the staff's cookie, which is SameSite=Strict; the market's own page sends it.
          // Over plain http, and before Safari 16.4, browsers do not send the header.
          const isSameSite = ["same-origin", "same-site"].includes(String(request.headers["sec-fetch-site"]));
          if (orderId && !isSameSite && request.query.again === undefined)
            void reply.header("refresh", `0; url=/t/${orderId}?again`);
          return sendPlainPage(
            reply,
            200,
            `A tote of ${marketName}`,
            html`<p>This tote is part of a customer’s order. If it isn’t yours, please ${reach}. Thank you!</p>
<p><a href="/shop">Go to the market</a></p>
${staffLink(orderId)}`,
          );
        },
      );
  };
