import type { Action } from "@marketday/client/forms/use-action.ts";
import type { Bundle } from "@marketday/contracts/bundles";
import type { IntervalWeeks } from "@marketday/domain/limits";
import { Controls } from "@marketday/ui/controls.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { useQueryClient } from "@tanstack/react-query";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { screenMessages } from "../../lib/screen-messages.ts";
import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { subscribe, unsubscribe } from "../bundles/api.ts";
import { IntervalSelect } from "./interval-select.tsx";

import s from "./subscribed.module.css";

/** Subscribed bundles, each with how often and a way out (spec §2.4 My Subscriptions). */
export function SubscribedBundles({ bundles, saving }: { bundles: Bundle[]; saving: Action }) {
  const client = useQueryClient();
  return (
    <section className={s.section} aria-labelledby="subscribed-bundles">
      <h3 id="subscribed-bundles">Subscribed bundles</h3>
      <Controls label="Subscribed bundles" saving={saving.running !== null}>
        <ul className={s.list}>
          {bundles.map((bundle) => {
            const { id, slug, title, image, total, products, subscriptionInterval } = bundle;
            const key = `bundle ${id}`;
            return (
              <li key={id}>
                <div className={s.row}>
                  <div className={s.picture}>
                    <Picture picture={image ?? products[0]?.images[0]} sizes="56px" alt="" />
                  </div>
                  <div className={s.words}>
                    <OverlayLink to={paths.bundle(slug)} className={s.title}>
                      {title}
                    </OverlayLink>
                    <span className={s.meta}>
                      {products.length} {products.length === 1 ? "item" : "items"} · <Money amount={total} />
                    </span>
                  </div>
                  <IconButton
                    icon="bin"
                    label={`Remove ${title}`}
                    onClick={() =>
                      void saving.attempt(
                        key,
                        () => unsubscribe(client, bundle),
                        orCartFull(screenMessages.bundleUnsubscribe),
                        subscriptionInterval,
                      )
                    }
                  />
                  <div className={s.controls}>
                    <IntervalSelect
                      name={title}
                      weeks={saving.shown(key, subscriptionInterval) ?? 1}
                      onChange={(weeks) =>
                        void saving.attempt(
                          key,
                          () => subscribe(client, bundle, weeks as IntervalWeeks),
                          orCartFull(messages.subscriptionPreferences),
                          weeks,
                        )
                      }
                    />
                  </div>
                </div>
              </li>
            );
          })}
        </ul>
      </Controls>
    </section>
  );
}
