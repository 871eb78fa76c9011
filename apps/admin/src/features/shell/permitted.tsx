import type { Permission } from "@marketday/domain/staff";
import { type ReactNode, useState } from "react";

import { useCan } from "../session/api.ts";
import { NotFoundPage } from "./not-found-page.tsx";

interface PermittedProps {
  permission: Permission;
  /** Another permission that is enough. */
  or?: Permission;
  where?: "all";
  children: ReactNode;
}

/**
 * A screen for those who have a permission. One that is open stays when the permission is revoked, with what was typed: the server
 * refuses its calls, and the frame says why (back-office.md N3).
 */
export function Permitted({ permission, or, where, children }: PermittedProps) {
  const hasFirst = useCan(permission, where);
  const hasOther = useCan(or ?? permission, where);
  const isPermitted = hasFirst || hasOther;
  const [wasPermitted, setPermitted] = useState(isPermitted);
  if (isPermitted && !wasPermitted) setPermitted(true);
  return wasPermitted ? children : <NotFoundPage isNoAccess />;
}
