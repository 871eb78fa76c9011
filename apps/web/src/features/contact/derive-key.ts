import { pbkdf2Async } from "@noble/hashes/pbkdf2.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { DeriveKeyFunction } from "altcha-lib";
import { deriveKey as deriveByBrowser } from "altcha-lib/algorithms/web/pbkdf2";

/** The same in script: browsers keep their own from pages of plain http, and a market in a LAN is such a page. */
export const deriveByScript: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => ({
  derivedKey: await pbkdf2Async(sha256, password, salt, { c: cost, dkLen: keyLength }),
});

/** One step of the bot check's puzzle. */
export const deriveKey: DeriveKeyFunction = (...step) =>
  (globalThis.crypto?.subtle ? deriveByBrowser : deriveByScript)(...step);
