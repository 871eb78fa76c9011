import type { VendorRef } from "@marketday/contracts/products";
import { createContext, type ReactNode, useContext } from "react";

import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";

/** The vendor whose own screen this is: there its name leads nowhere else. */
export const VendorHere = createContext<number | null>(null);

interface VendorLinkProps {
  vendor: Pick<VendorRef, "id" | "slug" | "name">;
  /** Where it stands decides how it looks. */
  className?: string | undefined;
  /** The link text; by default the name. */
  children?: ReactNode;
}

/** A vendor's name, leading to its panel over what is here. */
export function VendorLink({ vendor, className, children = vendor.name }: VendorLinkProps) {
  const here = useContext(VendorHere);
  if (here === vendor.id) return <span>{children}</span>;
  return (
    <OverlayLink to={paths.vendor(vendor.slug)} className={className}>
      {children}
    </OverlayLink>
  );
}
