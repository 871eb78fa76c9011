import { createTransport } from "@marketday/client/transport.ts";

/** The calls of the admin API (`@marketday/contracts/admin/calls`). */
export const { call, callPaged } = createTransport({ base: "/api/admin" });
