import type { Action } from "@marketday/client/forms/use-action.ts";
import { Button } from "@marketday/ui/button.tsx";
import { Controls } from "@marketday/ui/controls.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { formatHistory } from "../products/format-details.ts";
import { fullName } from "../products/format.ts";
import { recommendedQuery, subscribe } from "./api.ts";

import s from "./subscribed.module.css";

/** Items that are often ordered and could be subscribed to. Null without any. */
export function Recommendations({ saving }: { saving: Action }) {
  const client = useQueryClient();
  const { data: products = [] } = useQuery(recommendedQuery);
  const offers = products.flatMap((product) => {
    const variant = product.variants.find(({ preOrderDate }) => preOrderDate === null);
    return variant ? [{ product, variant }] : [];
  });
  if (offers.length === 0) return null;
  return (
    <section className={s.section} aria-labelledby="recommended">
      <h3 id="recommended">You order these often</h3>
      <Controls label="You order these often" saving={saving.running !== null}>
        <ul className={s.list}>
          {offers.map(({ product, variant }) => {
            const name = fullName(product, variant);
            const wanted = { productId: product.id, variantId: variant.id, qty: 1, subscription_interval: 1 };
            return (
              <li key={product.id} className={s.row}>
                <div className={s.picture}>
                  <Picture picture={product.images[0]} sizes="56px" alt="" />
                </div>
                <div className={s.words}>
                  <OverlayLink to={paths.product(product.slug)} className={s.title}>
                    {name}
                  </OverlayLink>
                  <span className={s.meta}>
                    {product.vendor.name} · <Money amount={variant.salePrice ?? variant.price} />
                  </span>
                  <span className={s.meta}>{formatHistory(product)}</span>
                </div>
                <Button
                  kind="outline"
                  aria-label={`Subscribe to ${name}`}
                  onClick={() =>
                    void saving.attempt(
                      `subscribe ${variant.id}`,
                      () => subscribe(client, wanted),
                      orCartFull(messages.productSubscribe),
                      true,
                    )
                  }
                >
                  Subscribe
                </Button>
              </li>
            );
          })}
        </ul>
      </Controls>
    </section>
  );
}
