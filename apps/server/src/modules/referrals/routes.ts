import { getReferrals } from "@marketday/contracts/account";
import { cents, toDollars } from "@marketday/domain/money";
import { raterName } from "@marketday/domain/review";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { requireCustomer } from "../identity/guards.ts";
import { findCredit, findFriends } from "./store.ts";

const stateOf = (isCredited: boolean, isOrdered: boolean): "credited" | "ordered" | "registered" =>
  isCredited ? "credited" : isOrdered ? "ordered" : "registered";

export const referralRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getReferrals,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const [friends, credit] = await Promise.all([
          findFriends(deps.db, customerId),
          findCredit(deps.db, customerId),
        ]);
        const base = deps.env.publicUrl ?? `${request.protocol}://${request.host}`;
        return {
          link: `${base}/shop?referredByCustomerId=${customerId}`,
          credit: toDollars(cents(credit)),
          friends: friends.map(({ friend, credited_at }) => ({
            name: raterName(friend.first_name, friend.last_name),
            state: stateOf(credited_at !== null, friend.orders.length > 0),
          })),
        };
      },
    });
  };
