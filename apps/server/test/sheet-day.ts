import { cents } from "@marketday/domain/money";
import { type Box, type BoxLine, type FrozenDay, STORAGES } from "@marketday/domain/sheets";

const FIRST = ["Anna", "Łukasz", "María José", "Theo", "Priya", "O’Neill", "Zoë", "Bartholomew", "Jun", "Sade"];
const LAST = [
  "Baker",
  "Żeleński",
  "Fernández",
  "Featherstonehaugh-Cholmondeley",
  "Nguyen",
  "Okafor",
  "Smith",
  "Li",
  "Abel",
];
const GOODS = [
  "Eggs, pasture raised",
  "Whole milk",
  "Ground beef",
  "Sourdough loaf",
  "Salad mix",
  "Honeycrisp apples",
  "Chicken stock, slow cooked with roots and herbs from the garden behind the barn",
  "Goat cheese",
  "Maple syrup",
  "Sweet potatoes",
  "Vanilla ice cream",
  "Kale",
];
const SIZES = ["Each", "Dozen", "1 lb", "Half gallon", "12 oz"];
const UNITS = [null, "8 oz", "jar, 12 oz"];
const STREETS = ["Main Street", "Oak Avenue", "Range Line Road", "W 116th St", "Elm Court"];

/** A day with `boxes` boxes and `vendors` vendors, the same each time. `zips` must be real. */
export function benchDay(boxes: number, vendors: number, zips: readonly string[], version = 1): FrozenDay {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const wares = Array.from({ length: vendors * 12 }, (_, n) => ({
    vendorId: 1 + (n % vendors),
    vendor: `${pick(LAST)} ${pick(["Farm", "Acres", "Orchard", "Dairy & Creamery", "Bakehouse"])} ${1 + (n % vendors)}`,
    variantId: n + 1,
    product: GOODS[n % GOODS.length] as string,
    variant: pick(SIZES),
    unit: UNITS[n % UNITS.length] ?? null,
    storage: STORAGES[[0, 0, 1, 0, 1, 0, 2][random(7)] as number] as BoxLine["storage"],
  }));
  const names = new Map(wares.map((ware) => [ware.vendorId, ware.vendor]));
  let orderItemId = 0;
  const day = Array.from({ length: boxes }, (_, n): Box => {
    const atPickup = random(5) === 0;
    const lines = Array.from({ length: 4 + random(14) }, (): BoxLine => {
      const ware = pick(wares);
      orderItemId += 1;
      return {
        ...ware,
        vendor: names.get(ware.vendorId) ?? "",
        orderItemId,
        bundle: null,
        quantity: [1, 1, 1, 2, 2, 3, 6][random(7)] as number,
      };
    });
    return {
      tote: n + 1,
      orderId: 400_000_000 + n * 97,
      name: `${pick(FIRST)} ${pick(LAST)}`,
      phone: `(317) 555-0${100 + (n % 100)}`,
      door: atPickup
        ? null
        : {
            address: `${1 + random(9800)} ${pick(STREETS)}`,
            address2: random(6) === 0 ? `Apt ${1 + random(40)}` : "",
            city: "Carmel",
            state: "IN",
            zipCode: pick(zips),
            instructions: random(4) === 0 ? "Side door, mind the dog. Leave it in the blue cooler on the porch." : "",
          },
      pickup: atPickup
        ? {
            name: pick(["Depot at Monon", "Old Town Hall"]),
            address: "1 Station Road",
            city: "Carmel",
            state: "IN",
            zipCode: "46032",
            hours: "4 to 7 PM",
          }
        : null,
      notes: random(7) === 0 ? "Please no plastic bags if you can help it. Thank you!" : "",
      dueCents: cents(random(3) === 0 ? 500 + random(12_000) : 0),
      lines,
    };
  });
  return {
    hub: "Carmel",
    market: "https://market.example",
    day: "2026-11-26",
    timeZone: "America/Indiana/Indianapolis",
    version,
    cutoffAt: new Date("2026-11-25T06:00:00Z"),
    frozenAt: new Date("2026-11-25T06:00:02Z"),
    boxes: day,
    plan: null,
  };
}
