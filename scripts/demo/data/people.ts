import { addMs, Day, Hour } from "@marketday/domain/time";

import { hubPlans } from "./hubs.ts";
import { chance } from "./random.ts";
import type { AddressRow, CustomerRow } from "./rows.ts";
import type { DemoZip } from "./zips.ts";

const firstNames =
  "Anna Ben Carla Dennis Elena Frank Grace Henry Iris James Kara Leo Maria Nathan Olivia Paul Quinn Rosa Sam Tara Umar Vera Will Ximena Yusuf Zoe Alice Brian Chloe David Emma Felix Gloria Hugo Ingrid Joel Kate Luis Mei Noah Opal Peter Ruth Simon Theo Ursula Victor Wanda Andre Beth Cora Diego Esther Flora Gabe Hana Ivan June Karl Lena Marcus Nina Omar Priya Ray Sofia Tom Viola Walt Amir Bridget Clara Dale Eve Fern George Holly".split(
    " ",
  );
const lastNames =
  "Abbott Acosta Albright Baker Barnes Becker Bell Boyd Brandt Brooks Bryant Burke Castillo Chen Clark Cole Cooper Cruz Dalton Davis Diaz Doyle Dunn Ellis Engel Evans Fischer Flores Ford Foster Fox Garcia Gibson Gray Greene Hall Hansen Hayes Hill Hoffman Howard Hughes Ito Jansen Jones Kane Keller Kim King Klein Lang Larsen Lee Lewis Lopez Lowe Lutz Marsh Mason Meyer Mills Moore Moreno Morgan Murray Nash Nguyen Novak Olson Ortiz Owens Park Patel Perry Pierce Pope Price Quigley Ramos Reed Reyes Rhodes Rivera Roberts Rossi Russo Sauer Schmidt Shaw Silva Singh Stone Sullivan Tate Torres Tran Vance Vega Vogel Wagner Walsh Ward Weber West Wood Wright Yates Young Zimmerman".split(
    " ",
  );
const streets =
  "Maple Street,Oak Avenue,Walnut Street,Cherry Lane,Elm Street,Park Avenue,Mill Road,Church Street,River Road,Meadow Lane,Spring Street,Hickory Drive,Jefferson Street,Lincoln Avenue,Orchard Road,Sycamore Street,Ridge Road,Washington Street,Union Street,Prospect Avenue,Garden Street,Franklin Street".split(
    ",",
  );
const notes = [
  "",
  "",
  "",
  "Side porch, please.",
  "Ring the bell, the dog is friendly.",
  "Cooler by the garage.",
  "Leave with the neighbor at the blue door.",
  "Gate code is on the box.",
];

/** A shopper with a known password. */
export interface DemoShopper {
  name: string;
  email: string;
  password: string;
}

/** The three shoppers to log in with: a regular one, an occasional one, and a new one with store credit. */
export const shoppers: readonly DemoShopper[] = [
  { name: "Rosa Whitfield", email: "rosa@little-wagon.example", password: "harvest-moon-42" },
  { name: "Theo Lindgren", email: "theo@little-wagon.example", password: "garden-gate-17" },
  { name: "June Okafor", email: "june@little-wagon.example", password: "copper-kettle-88" },
];
/** Their customer ids, in the same order. */
export const regularId = 1;
export const plainId = 2;
export const newId = 3;
const OTHER_CUSTOMERS = 400;

/** Store credit of the new shopper: the amount of a referral. */
export const newCreditCents = 2000;

/** Customers and their addresses. The three shoppers live in the first hub's city; `hashes` are their password hashes. */
export function buildPeople(
  zipsOf: ReadonlyMap<number, readonly DemoZip[]>,
  hashes: readonly string[],
  anchor: Date,
): { customers: CustomerRow[]; addresses: AddressRow[] } {
  const customers: CustomerRow[] = [];
  const addresses: AddressRow[] = [];
  const emails = new Set<string>();

  const add = (
    person: Pick<CustomerRow, "first_name" | "last_name" | "email" | "hub_id"> & Partial<CustomerRow>,
    zip: DemoZip,
  ): void => {
    const id = customers.length + 1;
    const luck = chance(`person ${id}`);
    const created =
      person.created_at ?? addMs(anchor, -luck.int(90, 900) * Day.ms - luck.int(0, 23) * Hour.ms).toISOString();
    customers.push({
      id,
      password_hash: null,
      handle: null,
      zip_code: zip.zipCode,
      avatar_id: null,
      is_gluten_free: luck.odds(0.08),
      is_vegan: luck.odds(0.06),
      subscribed_marketing_emails: luck.odds(0.4),
      auto_checkout_status: 0,
      default_tip: luck.weighted([
        [0, 5],
        [5, 2],
        [10, 3],
        [20, 1],
      ]),
      credit_cents: 0,
      ...person,
      created_at: created,
    });
    addresses.push({
      id,
      customer_id: id,
      address: `${luck.int(101, 4890)} ${luck.pick(streets)}`,
      city: zip.city,
      state: zip.state,
      zip_code: zip.zipCode,
      instructions: luck.pick(notes),
      is_default: true,
      created_at: created,
    });
  };

  const [home] = hubPlans;
  const homeZip = zipsOf.get(1)?.find(({ zipCode }) => zipCode === home?.zipCode);
  if (!homeZip) throw new Error("The first hub's zip is not in its area");
  shoppers.forEach(({ name, email }, place) => {
    const [first_name = "", last_name = ""] = name.split(" ");
    const isRegular = place + 1 === regularId;
    const isNew = place + 1 === newId;
    add(
      {
        first_name,
        last_name,
        email,
        hub_id: 1,
        password_hash: hashes[place] ?? null,
        handle: isRegular ? "rosa-cooks" : null,
        is_gluten_free: false,
        is_vegan: false,
        auto_checkout_status: isRegular ? 2 : 0,
        default_tip: isRegular ? 10 : 0,
        credit_cents: isNew ? newCreditCents : 0,
        ...(isNew && { created_at: addMs(anchor, -2 * Hour.ms).toISOString() }),
      },
      homeZip,
    );
  });

  for (let place = 0; place < OTHER_CUSTOMERS; place++) {
    const luck = chance(`customer ${place}`);
    const first_name = luck.pick(firstNames);
    const last_name = luck.pick(lastNames);
    let email = `${first_name}.${last_name}@shopper.example`.toLowerCase();
    for (let turn = 2; emails.has(email); turn++)
      email = `${first_name}.${last_name}${turn}@shopper.example`.toLowerCase();
    emails.add(email);
    const hub = hubPlans[place % hubPlans.length] ?? luck.pick(hubPlans);
    add({ first_name, last_name, email, hub_id: hub.id }, luck.pick(zipsOf.get(hub.id) ?? [homeZip]));
  }
  return { customers, addresses };
}
