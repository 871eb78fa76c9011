import { Link } from "@marketday/ui/link.tsx";
import type { ReactNode } from "react";

import { useHubFilter } from "../shell/hub-filter.ts";

import s from "./customers.module.css";

/** A link within the panel; the filter by market stays. */
export function CellLink({ to, children }: { to: string; children: ReactNode }) {
  const filter = useHubFilter();
  return (
    <Link to={filter.to(to)} className={s.cellLink}>
      {children}
    </Link>
  );
}
