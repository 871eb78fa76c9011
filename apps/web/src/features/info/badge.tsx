import { cx } from "@marketday/ui/cx.ts";
import type { ReactNode } from "react";

import type { BadgeKind } from "./origin.ts";

import s from "./badge.module.css";

/** What is written on or under each. */
export const badgeNames: Record<BadgeKind, string> = {
  "local-first": "Local First",
  "regional-specialty": "Regional Specialty",
  "beyond-local": "Beyond Local",
  "general-store": "General Store",
  "chefs-selection": "Chef’s Selection",
  "kansas-farms": "Kansas Farms",
};

/** Sixteen scallops around a disc: the awning's edge, closed. */
const EDGE = Array.from({ length: 16 }, (_, place) => {
  const angle = (place / 16) * 2 * Math.PI;
  return [32 + 26 * Math.cos(angle), 32 + 26 * Math.sin(angle)] as const;
});

/** What is in the middle of each, on a 64 grid; lines take the badge's ink. */
const drawings: Record<BadgeKind, ReactNode> = {
  // A field with a barn, the sun behind it.
  "local-first": (
    <>
      <circle className={s.sun} cx="32" cy="28" r="8" />
      <path className={s.fill} d="M14 38c6-5 12-6 18-6s12 1 18 6a20 20 0 0 1-36 0z" />
      <path d="M22 45c3-4 5-8 6-12M32 48V32M42 45c-3-4-5-8-6-12" />
    </>
  ),
  // Hills beyond hills, with a way between them.
  "regional-specialty": (
    <>
      <path className={s.fill} d="M13 42 25 24l8 11 6-8 12 15c-4 6-11 10-19 10s-15-4-19-10z" />
      <path d="M25 24l-4 9 5-2 4 4M39 27l-2 6 4-1" />
      <circle className={s.sun} cx="42" cy="19" r="4" />
    </>
  ),
  // A ship under sail.
  "beyond-local": (
    <>
      <path className={s.fill} d="M16 40h32l-5 9H21z" />
      <path className={s.sun} d="M33 16c8 5 11 12 11 20H33z" />
      <path d="M31 14v25M31 20c-6 4-9 9-10 16h10M14 53c3-2 5-2 8 0s5 2 8 0 5-2 8 0 5 2 8 0" />
    </>
  ),
  // A shop front under its awning.
  "general-store": (
    <>
      <path className={s.fill} d="M18 30h28v18H18z" />
      <path
        className={s.sun}
        d="M15 28l4-10h26l4 10a4 4 0 0 1-8.5 1 4.3 4.3 0 0 1-8.5 0 4.3 4.3 0 0 1-8.5 0A4 4 0 0 1 15 28z"
      />
      <path d="M24 18l-2 10M32 18v11M40 18l2 10M28 48V37h8v11" />
    </>
  ),
  // A cook's hat.
  "chefs-selection": (
    <>
      <path className={s.fill} d="M23 46V35a8 8 0 1 1 3-15 8 8 0 0 1 12 0 8 8 0 1 1 3 15v11z" />
      <path d="M23 41h18M29 35v-4M35 35v-4" />
    </>
  ),
  // The state's flower.
  "kansas-farms": (
    <>
      {Array.from({ length: 12 }, (_, place) => (
        <ellipse
          key={place}
          className={s.sun}
          cx="32"
          cy="19"
          rx="4"
          ry="8"
          transform={`rotate(${place * 30} 32 32)`}
        />
      ))}
      <circle className={s.fill} cx="32" cy="32" r="7.5" />
      <path d="M29 30h.1M35 30h.1M32 33h.1M29 35.5h.1M35 35.5h.1" />
    </>
  ),
};

interface BadgeProps {
  kind: BadgeKind;
  /** `sm` 30 px beside words and on pictures, `md` 48 px, `lg` 88 px in the modal. */
  size?: "sm" | "md" | "lg";
  /** Its name for who does not see it; off where the name stands beside it. */
  named?: boolean;
}

/** A badge as on a crate: a scalloped seal with a drawing of ours. */
export const Badge = ({ kind, size = "sm", named = false }: BadgeProps) => (
  <svg
    className={cx(s.badge, s[size], s[kind])}
    viewBox="0 0 64 64"
    focusable="false"
    {...(named ? { role: "img", "aria-label": badgeNames[kind] } : { "aria-hidden": true })}
  >
    <g className={s.edge}>
      {EDGE.map(([cx, cy]) => (
        <circle key={`${cx} ${cy}`} cx={cx} cy={cy} r="5.6" />
      ))}
      <circle cx="32" cy="32" r="27" />
    </g>
    <circle className={s.ring} cx="32" cy="32" r="24.5" />
    {drawings[kind]}
  </svg>
);
