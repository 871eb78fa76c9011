import { createStorage } from "@marketday/client/storage.ts";

/** The database with the photos of this browser's drafts, which session storage has no room for. */
export const PHOTO_DATABASE = "marketday-photos";

/** What the browser keeps for the shop. */
export const shopStorage = createStorage("marketday", { database: PHOTO_DATABASE });
export const { setItem, getItem, removeItem, removeAll, claimSessionStorage } = shopStorage;
