import { vendorColor } from "@marketday/domain/picture";

import s from "./vendor-mark.module.css";

/** A vendor's name behind a piece of awning in the vendor's color. */
export const VendorMark = ({ id, name }: { id: number; name: string }) => (
  <span className={s.vendor}>
    <i className={s.stall} data-stall={vendorColor(id)} aria-hidden="true" />
    <span className={s.name}>{name}</span>
  </span>
);
