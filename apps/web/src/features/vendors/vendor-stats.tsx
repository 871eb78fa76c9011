import type { Vendor } from "@marketday/contracts/vendors";

import { formatCount, formatScore } from "./numbers.ts";
import { useFollowed } from "./use-follow.ts";

import s from "./vendor-stats.module.css";

/** Products, followers, endorsement score to one decimal (spec §2.4 Vendor detail). */
export function VendorStats({ vendor }: { vendor: Vendor }) {
  const { followers } = useFollowed(vendor);
  const stats = [
    { label: vendor.products === 1 ? "Product" : "Products", value: formatCount(vendor.products) },
    { label: followers === 1 ? "Follower" : "Followers", value: formatCount(followers) },
    { label: "Endorsement score", value: formatScore(vendor.endorsementScore) },
  ];
  return (
    <dl className={s.stats}>
      {stats.map(({ label, value }) => (
        <div key={label} className={s.stat}>
          <dt className={s.label}>{label}</dt>
          <dd className={s.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
