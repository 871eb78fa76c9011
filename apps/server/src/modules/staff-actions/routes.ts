import { listActions, undoAction as undoEndpoint } from "@marketday/contracts/admin/actions";
import { can, hubsWith } from "@marketday/domain/staff";
import { STAFF_ACTION_PERMISSION, type StaffActionKind } from "@marketday/domain/staff-actions";
import { addMs, Day } from "@marketday/domain/time";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { StaffActor } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { toStaffAction } from "./serialize.ts";
import { findActions } from "./store.ts";
import { undoAction } from "./undo-action.ts";

/** How far back the recent changes go, and how many there are. */
const RECENT_MS = 1 * Day.ms;
const RECENT_MAX = 100;

/** Kinds that a person may do in every market. */
const kindsEverywhere = ({ grants }: StaffActor): StaffActionKind[] =>
  (Object.keys(STAFF_ACTION_PERMISSION) as StaffActionKind[]).filter((kind) =>
    can(grants, STAFF_ACTION_PERMISSION[kind], "all"),
  );

/** The recent changes of the staff, and their undo (docs/product.md §18). */
export const actionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listActions,
      handler: async (request) => {
        const actor = requireStaff(request.actor);
        const isReader = can(actor.grants, "orders.read", "any");
        const actions = await findActions(deps.db, {
          hubs: hubsWith(actor.grants, isReader ? "orders.read" : "moderation.write"),
          staffId: actor.staffId,
          hubless: kindsEverywhere(actor),
          kinds: isReader ? null : ["moderate"],
          since: addMs(request.now, -RECENT_MS),
          limit: RECENT_MAX,
        });
        return actions.map((action) => toStaffAction(action, actor));
      },
    });
    app.route({
      ...undoEndpoint,
      handler: async (request) => {
        const actor = requireStaff(request.actor);
        return toStaffAction(await undoAction(app.contextOf(request), actor, request.params.id), actor);
      },
    });
  };
