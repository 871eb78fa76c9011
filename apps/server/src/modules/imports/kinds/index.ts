import type { ImportType } from "../kind.ts";
import { bundles } from "./bundles.ts";
import { collections } from "./collections.ts";
import { discounts } from "./discounts.ts";
import { banners, posts } from "./notices.ts";
import { products } from "./products.ts";
import { vendors } from "./vendors.ts";

/** The kinds of files, in the order in which a new market imports them. */
export const importTypes: readonly ImportType[] = [vendors, products, collections, bundles, posts, banners, discounts];
