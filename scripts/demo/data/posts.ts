import { addMs, Hour } from "@marketday/domain/time";

import { hubPlans } from "./hubs.ts";
import { isListed, type Special } from "./offers.ts";
import { sharedPicture } from "./pictures.ts";
import type { ProductPlan } from "./products.ts";
import { chance } from "./random.ts";
import type { LooseRow } from "./rows.ts";
import { type VendorPlan, vendorPlans } from "./vendors.ts";

const scenes: readonly (readonly [kind: string, picture: string])[] = [
  ["vegetables", "wide-harvest"],
  ["greens", "wide-seedlings"],
  ["mushrooms", "wide-mushrooms"],
  ["fruit", "wide-orchard"],
  ["dairy", "wide-dairy"],
  ["cheese", "wide-pasture"],
  ["bakery", "wide-bread"],
  ["meat", "wide-barn"],
  ["poultry", "wide-eggs"],
  ["fish", "wide-wagon"],
  ["honey", "wide-honey"],
  ["pantry", "wide-pantry"],
  ["grains", "wide-tractor"],
  ["drinks", "wide-coffee"],
  ["prepared", "wide-kitchen"],
  ["flowers", "wide-flowers"],
  ["home", "wide-snow"],
];
const sceneOf = (vendor: VendorPlan): string =>
  scenes.find(([kind]) => kind === vendor.sells[0]?.kind)?.[1] ?? "wide-market";

/** Sentences of staff cards by ribbon; the product's note follows. */
const lead: Record<NonNullable<Special["ribbon"]>, readonly string[]> = {
  "staff-pick": [
    "This came home with three of us last week.",
    "The packing table voted, and it was not close.",
    "We keep one behind the counter for ourselves.",
    "If you try one new thing, let it be this.",
    "Ask anybody here what they eat standing up.",
    "Not the loudest thing on the table, only the best.",
  ],
  "staff-trending": [
    "In more carts than anything else on its shelf.",
    "It was gone by noon last week, so they brought more.",
    "Recommended by everyone's neighbor.",
    "Ordered twice by most who order it once.",
    "The drivers have begun to guess which houses.",
  ],
  "staff-flash-sale": [
    "A big harvest and a short week: help us move it.",
    "Until the cutoff, or until the crate is empty.",
    "The stall has too much, you have a freezer.",
  ],
  "staff-insane-weekly-deal": [
    "One thing a week goes out at a price that makes the farmer blink.",
    "We checked twice. Yes, that price.",
    "This week's deal. It does not come back on Monday.",
  ],
};

/** Vendor posts and staff cards, spread over the days before `anchor`. */
export function buildPosts(
  plans: readonly ProductPlan[],
  specials: ReadonlyMap<number, Special>,
  anchor: Date,
): LooseRow[] {
  const posts: LooseRow[] = [];
  const add = (post: Record<string, string | number | null>, at: Date): void => {
    posts.push({
      id: posts.length + 1,
      hub_id: null,
      subtitle: "",
      avatar_label: "",
      ...post,
      created_at: at.toISOString(),
      expires_at: null,
    });
  };
  for (const vendor of vendorPlans) {
    const luck = chance(`post ${vendor.id}`);
    const shown = plans.filter(
      (plan) => plan.vendor === vendor && isListed(plan) && specials.get(plan.id)?.stock !== "out",
    );
    add(
      {
        type: "vendor-post",
        vendor_id: vendor.id,
        product_id: luck.odds(0.6) && shown.length > 0 ? luck.pick(shown).id : null,
        title: vendor.post.title,
        text: vendor.post.text,
        text_image_id: luck.odds(0.6) ? sharedPicture(sceneOf(vendor)).id : null,
      },
      addMs(anchor, -luck.int(3, 20 * 24) * Hour.ms),
    );
  }
  for (const plan of plans) {
    const ribbon = specials.get(plan.id)?.ribbon;
    if (!ribbon) continue;
    const luck = chance(`card ${plan.id}`);
    const [hubId] = plan.vendor.hubIds;
    const label = hubPlans.find((hub) => hub.id === hubId)?.city ?? "";
    add(
      {
        type: ribbon,
        hub_id: plan.vendor.hubIds.length === 1 ? (hubId ?? null) : null,
        vendor_id: plan.vendor.id,
        product_id: plan.id,
        title: plan.line.title,
        subtitle: `From ${plan.vendor.name}`,
        text: `${luck.pick(lead[ribbon])} ${plan.line.note}`,
        avatar_label: `${label} staff`,
        text_image_id: null,
      },
      // The shop shows the newest first: the harvest of the month before what there is all year.
      addMs(anchor, -(plan.line.season === null ? luck.int(30, 5 * 24) : luck.int(2, 29)) * Hour.ms),
    );
  }
  return posts;
}

/** Banners: one of each hub. */
export const buildBanners = (): LooseRow[] =>
  hubPlans.map((hub, place) => ({ id: place + 1, ...hub.banner, hub_id: hub.id, position: 1, ends_at: null }));
