import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";

import { paths } from "../../navigation/paths.ts";

/** spec §2.1: `/collections?vendor=` leads to that vendor's products; everything else is shown as it is. */
export function VendorRedirect({ children }: { children: ReactNode }) {
  const query = new URLSearchParams(useLocation().search);
  const vendor = query.get("vendor")?.trim();
  if (!vendor) return children;
  const page = query.get("page");
  return (
    <Navigate
      replace
      to={paths.vendorStore(encodeURIComponent(vendor)) + (page ? `?page=${encodeURIComponent(page)}` : "")}
    />
  );
}
