import type { Customer } from "@marketday/contracts/account";
import { cents, toDollars } from "@marketday/domain/money";

import type { Deps } from "../../deps.ts";
import { loginRequired } from "../../lib/app-error.ts";
import { nextDelivery } from "../hubs/deliveries.ts";
import type { HubFacts } from "../hubs/directory-store.ts";
import { type HubDirectory, hubDirectory } from "../hubs/directory.ts";
import { addressDoor, type Door, homeDeliveryOf, hubsAtDoor, personDoor } from "../hubs/home-delivery.ts";
import type { Actor } from "../identity/context.ts";
import { serializePictureOrNull } from "../pictures/picture-row.ts";
import { problemOf, serializeFulfillment } from "./fulfillment.ts";
import { findCustomerProfile, findGuestProfile, type ProfileRow } from "./profile-sql.ts";

/**
 * The profile of the request's shopper: the response of guest, login, register and `GET /account/profile`.
 * @param about the place that `homeDelivery` is about, where it is not the shopper's own
 */
export async function loadProfile(
  deps: Deps,
  actor: Actor,
  now: Date,
  about: { zipCode: string; isAddress: boolean } | null = null,
): Promise<Customer> {
  const row =
    actor.type === "customer"
      ? await findCustomerProfile(deps.db, actor.customerId, now)
      : actor.type === "guest"
        ? await findGuestProfile(deps.db, actor.guestId)
        : null;
  if (!row) throw loginRequired();
  return serializeProfile(deps, row, now, about);
}

/** Where orders of a shopper go: to their address, else to where they live or came in. Null: unknown. */
function doorOf(row: ProfileRow): Door | null {
  if (row.default_address) return addressDoor(row.default_address.zipCode, row);
  return row.zip_code ? personDoor(row.zip_code, row) : null;
}

/** The hubs that serve a shopper's place, nearest first; the shopper's own hub is always included. */
function hubsOf(directory: HubDirectory, row: ProfileRow): HubFacts[] {
  const own = row.hub_id === null ? undefined : directory.byId(row.hub_id);
  const door = doorOf(row);
  const serving = door
    ? hubsAtDoor(directory, door)
    : row.lat !== null && row.lng !== null
      ? directory.serving({ lat: row.lat, lng: row.lng })
      : [];
  if (!own || serving.some((hub) => hub.id === own.id)) return serving;
  return [own, ...serving];
}

/** Row → contract; `deliveryDate` is the first hub's weekday (spec §3), which is the shopper's own hub. */
export async function serializeProfile(
  deps: Deps,
  row: ProfileRow,
  now: Date,
  about: { zipCode: string; isAddress: boolean } | null = null,
): Promise<Customer> {
  const directory = await hubDirectory(deps);
  const serving = hubsOf(directory, row);
  const door = about ? (about.isAddress ? addressDoor : personDoor)(about.zipCode, row) : doorOf(row);
  const hubs = [...serving.filter((hub) => hub.id === row.hub_id), ...serving.filter((hub) => hub.id !== row.hub_id)];
  const id = row.customer_id ?? row.guest_id!;
  const name = [row.first_name, row.last_name].filter(Boolean).join(" ");
  const avatar = serializePictureOrNull(row.avatar);
  return {
    id,
    customerId: id,
    isGuest: row.customer_id === null,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    handle: row.handle ?? (name || null),
    phone: row.phone,
    avatar,
    image: avatar,
    dataSource: row.data_source,
    deliveryAddress: row.default_address,
    fulfillment: serializeFulfillment(
      row,
      row.hub_id === null ? undefined : directory.byId(row.hub_id),
      row.hub_id === null ? null : problemOf(directory, row.hub_id, row),
      row.has_wagon_pass,
    ),
    deliveryDate: hubs[0]?.delivery_day ?? null,
    hasPassword: row.has_password,
    hubs: await Promise.all(
      hubs.map(async (hub) => ({
        id: hub.id,
        name: hub.name,
        deliveryDay: hub.delivery_day,
        nextDeliveryDate: (await nextDelivery(deps, hub.id, now))?.day ?? null,
      })),
    ),
    hubId: row.hub_id,
    homeDelivery: row.hub_id === null || !door ? null : homeDeliveryOf(directory, row.hub_id, door),
    isGlutenFree: row.is_gluten_free,
    isVegan: row.is_vegan,
    isWagonPassActive: row.has_wagon_pass,
    lastOrderDate: row.last_order_day,
    paymentInfo: row.payment_method && {
      brand: row.payment_method.brand,
      last4: row.payment_method.last4,
      expMonth: row.payment_method.exp_month,
      expYear: row.payment_method.exp_year,
    },
    paymentType: row.payment_method
      ? "card"
      : row.customer_id !== null && deps.payments.name === "offline"
        ? "offline"
        : null,
    playerId: row.player_id,
    os: row.os,
    subscribedAllMessages: row.subscribed_all_messages,
    subscribedMarketingEmails: row.subscribed_marketing_emails,
    subscribedMarketingSms: row.subscribed_marketing_sms,
    trk: row.trk,
    zipCode: row.zip_code,
    utmSource: row.utm_source,
    utmCampaign: row.utm_campaign,
    credit: toDollars(cents(row.credit_cents)),
    unreadCount: row.unread_count,
  };
}
