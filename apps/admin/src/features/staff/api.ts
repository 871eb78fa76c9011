import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { StaffMember } from "@marketday/contracts/admin/staff";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** The people who run the market. */
export const staffQuery = queryOptions({
  queryKey: ["staff"],
  queryFn: ({ signal }) => call(calls.listStaff, undefined, { signal }),
});

/** Where a person is signed in, and their API keys. */
export const accessQuery = (id: number) =>
  queryOptions({
    queryKey: ["staff", id, "access"],
    queryFn: ({ signal }) => call(calls.getStaffAccess, { params: { id } }, { signal }),
  });

export type { StaffMember };

/** What a person is now, from the refusal of a write over an older version; null: it failed otherwise. */
export const currentOf = (error: unknown): StaffMember | null =>
  error instanceof ApiError && error.code === "conflict"
    ? ((error.details["current"] as StaffMember | null) ?? null)
    : null;

export const isLastOwner = (error: unknown): boolean => error instanceof ApiError && error.code === "last_owner";
