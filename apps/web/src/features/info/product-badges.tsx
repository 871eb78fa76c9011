import type { Product } from "@marketday/contracts/products";

import { useNavigation } from "../../navigation/overlays.ts";
import { useHub } from "../hubs/api.ts";
import { Badge, badgeNames } from "./badge.tsx";
import { badgesOf } from "./nearness.ts";

import s from "./product-badges.module.css";

/** A product's badges with their names; each opens what it means. */
export function ProductBadges({ product }: { product: Product }) {
  const hub = useHub();
  const { openModal } = useNavigation();
  const badges = badgesOf(product, hub);
  if (badges.length === 0) return null;
  return (
    <ul className={s.badges} aria-label="Badges">
      {badges.map((kind) => (
        <li key={kind}>
          <button
            type="button"
            id={`badge-${kind}-${product.id}`}
            className={s.badge}
            onClick={() =>
              openModal(
                { kind: "info", topic: kind === "kansas-farms" ? kind : "local-first" },
                `badge-${kind}-${product.id}`,
              )
            }
          >
            <Badge kind={kind} />
            {badgeNames[kind]}
          </button>
        </li>
      ))}
    </ul>
  );
}
