import { Day } from "@marketday/domain/time";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { PHOTO_DATABASE } from "../../lib/storage.ts";
import { forgetPhotos } from "./forget-photos.ts";
import { deleteOldPhotos, loadPhotos, storePhoto } from "./photo-store.ts";

/** A browser's database with one store, whose requests succeed in order. */
class MemoryDatabase extends EventTarget {
  readonly rows = new Map<number, unknown>();
  #last = 0;
  readonly #request = (result: unknown) => {
    const request = Object.assign(new EventTarget(), { result });
    queueMicrotask(() => request.dispatchEvent(new Event("success")));
    return request;
  };
  readonly databases = async () => [{ name: PHOTO_DATABASE }];
  readonly open = () => this.#request(this);
  readonly close = () => undefined;
  transaction() {
    const { rows } = this;
    const request = this.#request;
    const store = {
      add: (row: unknown) => {
        this.#last += 1;
        rows.set(this.#last, row);
        return request(this.#last);
      },
      get: (key: number) => request(rows.get(key)),
      getAllKeys: () => request([...rows.keys()]),
      getAll: () => request([...rows.values()]),
      delete: (key: number) => request(rows.delete(key)),
    };
    const transaction = Object.assign(new EventTarget(), { objectStore: () => store });
    setTimeout(() => transaction.dispatchEvent(new Event("complete")), 0);
    return transaction;
  }
}

let database: MemoryDatabase;
beforeEach(() => {
  database = new MemoryDatabase();
  vi.stubGlobal("indexedDB", database);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const [ANNA, BEN] = [7, 8];
const photo = (text: string) => new Blob([text], { type: "image/jpeg" });
const store = async (customerId: number, text: string) => (await storePhoto(customerId, photo(text)))!;
const kept = () => [...database.rows.keys()];

test("photos: those of the given keys are loaded in their order, without missing ones and another customer's", async () => {
  const [first, other, second] = [await store(ANNA, "one"), await store(BEN, "secret"), await store(ANNA, "two")];
  const loaded = await loadPhotos(ANNA, [second, other, 99, first]);
  expect(await Promise.all(loaded!.map(async ({ key, blob }) => [key, await blob.text()]))).toEqual([
    [second, "two"],
    [first, "one"],
  ]);
});

test("photos: a customer's visit deletes another customer's; a guest's, who may be one whose session expired, deletes none", async () => {
  const [own] = [await store(ANNA, "own"), await store(BEN, "other")];
  await forgetPhotos({ customerId: "a-guest", isGuest: true });
  expect(kept()).toHaveLength(2);
  await forgetPhotos(null);
  expect(kept()).toHaveLength(2);
  await forgetPhotos({ customerId: ANNA, isGuest: false });
  expect(kept()).toEqual([own]);
});

test("photos: after a week a photo is deleted, also its own customer's", async () => {
  const at = Date.now();
  vi.useFakeTimers({ now: at, toFake: ["Date"] });
  await store(ANNA, "old");
  vi.setSystemTime(at + 1);
  const newer = await store(ANNA, "newer");
  vi.setSystemTime(at + 7 * Day.ms);
  await deleteOldPhotos(null);
  expect(kept()).toHaveLength(2);
  vi.setSystemTime(at + 7 * Day.ms + 1);
  await deleteOldPhotos(ANNA);
  expect(kept()).toEqual([newer]);
});
