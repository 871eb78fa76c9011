import { initials, vendorColor } from "@marketday/domain/picture";

import { cx } from "./cx.ts";
import { Picture, type PictureData } from "./picture.tsx";

import s from "./avatar.module.css";

interface AvatarProps {
  /** Decides the stall colour. */
  id: number;
  name: string;
  picture?: PictureData | null;
  size?: "sm" | "md" | "lg";
}

const sizes = { sm: "36px", md: "48px", lg: "72px" } as const;

/** A stall's face: its picture, else its initials on its colour. The name stands beside it. */
export const Avatar = ({ id, name, picture, size = "md" }: AvatarProps) => (
  <span className={cx(s.avatar, s[size])} data-stall={vendorColor(id)} aria-hidden="true">
    {picture ? <Picture picture={picture} sizes={sizes[size]} alt="" /> : initials(name)}
  </span>
);
