import { toSearch } from "@marketday/client/to-search.ts";
import { OFFER_COOKIE_MS, TRK_COOKIE_MS, TRK_LENGTH, DISCOUNT_CODE_MAX } from "@marketday/domain/limits";

import { removeItem, setItem, getItem } from "../lib/storage.ts";

/** What an address may bring along on any page (spec §2.2). */
export interface EntryParams {
  /** Vendor source: the first 50 characters. */
  trk?: string;
  /** A search. */
  q?: string;
  playerId?: string;
  os?: string;
  /** A discount code. */
  offer?: string;
  /** A product; on /vendors a vendor. */
  id?: string;
  messageId?: string;
  /** `hubId`, or its old name `wagonId`. */
  hubId?: number;
  lat?: number;
  lng?: number;
  utmSource?: string;
  utmCampaign?: string;
  referredByCustomerId?: string;
  /** Inside the companion app's web view. */
  app?: boolean;
  /** Opens Login: the server sends /login here. */
  login?: boolean;
}

const longest = 200;

/** Reads them; whatever is malformed is left out. */
export function parseEntryParams(search: string): EntryParams {
  const query = new URLSearchParams(search);
  const text = (name: string, max = longest) => {
    // A control character could only be meant to break a header apart; invisible marks come with pasted codes.
    const value = query.get(name)?.replace(/\p{C}/gu, "").trim();
    return value ? [...value].slice(0, max).join("") : undefined;
  };
  const number = (name: string, fits: (value: number) => boolean) => {
    const value = query.get(name);
    return value && value.trim() !== "" && fits(Number(value)) ? Number(value) : undefined;
  };
  const positive = (value: number) => Number.isSafeInteger(value) && value > 0;
  const lat = number("lat", (value) => Math.abs(value) <= 90);
  const lng = number("lng", (value) => Math.abs(value) <= 180);
  const params: EntryParams = {
    trk: text("trk", TRK_LENGTH),
    q: text("q"),
    playerId: text("playerId"),
    os: text("os"),
    offer: text("offer", DISCOUNT_CODE_MAX),
    id: text("id"),
    messageId: text("messageId"),
    hubId: number("hubId", positive) ?? number("wagonId", positive),
    // Half a place is no place.
    ...(lat !== undefined && lng !== undefined ? { lat, lng } : {}),
    utmSource: text("utm_source"),
    utmCampaign: text("utm_campaign"),
    referredByCustomerId: text("referredByCustomerId", 40),
    ...(query.get("app") === "true" ? { app: true } : {}),
    ...(query.get("login") === "1" ? { login: true } : {}),
  };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

/** Parameters of the address that are kept or acted upon, and so need not stay in it. */
const consumed = [
  "trk",
  "playerId",
  "os",
  "offer",
  "hubId",
  "wagonId",
  "lat",
  "lng",
  "utm_source",
  "utm_campaign",
  "referredByCustomerId",
  "app",
  "login",
];

/** The query without what has been kept: a reload must not move a shopper to another hub again. */
export function withoutEntryParams(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of consumed) query.delete(name);
  return toSearch(query);
}

/** Keeps what has a life beyond this page: trk 30 days, the offer 1 day, the rest as long as its store. */
export function keepEntryParams(params: EntryParams): void {
  if (params.trk) setItem("local", "trk", params.trk, TRK_COOKIE_MS);
  if (params.offer) setItem("local", "offer", params.offer, OFFER_COOKIE_MS);
  if (params.referredByCustomerId) setItem("local", "referredBy", params.referredByCustomerId, TRK_COOKIE_MS);
  if (params.playerId) setItem("local", "playerId", params.playerId);
  if (params.os) setItem("local", "os", params.os);
  if (params.utmSource) setItem("session", "utmSource", params.utmSource);
  if (params.utmCampaign) setItem("session", "utmCampaign", params.utmCampaign);
  if (params.app) setItem("session", "app", true);
}

/** Where this shopper came from, as `POST /auth/guest`, login and register take it. */
export interface Origin {
  trk?: string;
  utmSource?: string;
  utmCampaign?: string;
  playerId?: string;
  os?: string;
  referredByCustomerId?: string;
}

export function keptOrigin(): Origin {
  const all = {
    trk: getItem<string>("local", "trk"),
    utmSource: getItem<string>("session", "utmSource"),
    utmCampaign: getItem<string>("session", "utmCampaign"),
    playerId: getItem<string>("local", "playerId"),
    os: getItem<string>("local", "os"),
    referredByCustomerId: getItem<string>("local", "referredBy"),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** The discount code an address brought, for a day. */
export const savedDiscountCode = (): string | null => getItem<string>("local", "offer");
export const removeSavedDiscountCode = (): void => removeItem("local", "offer");

/** Whether this is the companion app's web view: it asks for the location itself. */
export const isInApp = (): boolean => getItem<boolean>("session", "app") === true;
