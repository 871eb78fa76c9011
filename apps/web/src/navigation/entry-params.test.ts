import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import {
  isInApp,
  keepEntryParams,
  removeSavedDiscountCode,
  savedDiscountCode,
  keptOrigin,
  parseEntryParams,
  withoutEntryParams,
} from "./entry-params.ts";

const memory = (): Storage => {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
};

beforeEach(() => {
  vi.stubGlobal("localStorage", memory());
  vi.stubGlobal("sessionStorage", memory());
  vi.useFakeTimers({ now: new Date("2026-11-20T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const day = 86_400_000;

describe("reading an address", () => {
  test("keeps the first 50 characters of trk", { tags: ["spec:2.2-01"] }, () => {
    expect(parseEntryParams(`?trk=${"é".repeat(60)}`).trk).toBe("é".repeat(50));
  });

  test("knows hubId and its old name wagonId, the new one first", { tags: ["spec:2.2-05"] }, () => {
    expect(parseEntryParams("?wagonId=7").hubId).toBe(7);
    expect(parseEntryParams("?wagonId=7&hubId=8").hubId).toBe(8);
  });

  test.each(["abc", "-1", "0", "1.5", "", "1e99", "NaN"])("takes no hub from %j", (value) => {
    expect(parseEntryParams(`?hubId=${encodeURIComponent(value)}`)).toEqual({});
  });

  test("takes a place only whole and on the globe", { tags: ["spec:2.2-05"] }, () => {
    expect(parseEntryParams("?lat=39.9&lng=-86.1")).toEqual({ lat: 39.9, lng: -86.1 });
    expect(parseEntryParams("?lat=39.9")).toEqual({});
    expect(parseEntryParams("?lat=91&lng=0")).toEqual({});
    expect(parseEntryParams("?lat=&lng=")).toEqual({});
  });

  test("drops control characters, so nothing can split a header", { tags: ["fail:H13"] }, () => {
    expect(parseEntryParams("?trk=a%0d%0aSet-Cookie:x").trk).toBe("aSet-Cookie:x");
  });

  test("app counts only as true", { tags: ["spec:2.2-08"] }, () => {
    expect(parseEntryParams("?app=true").app).toBe(true);
    expect(parseEntryParams("?app=1").app).toBeUndefined();
  });

  test("leaves in the address what is not kept", () => {
    expect(withoutEntryParams("?trk=a&page=2&hubId=4&id=9")).toBe("?page=2&id=9");
    expect(withoutEntryParams("?utm_source=mail")).toBe("");
  });
});

describe("keeping what it brought", () => {
  test("trk lives 30 days", { tags: ["spec:9-11", "spec:9-17", "spec:2.2-01", "fail:K9"] }, () => {
    keepEntryParams({ trk: "farm-7" });
    vi.setSystemTime(Date.now() + 30 * day - 1);
    expect(keptOrigin().trk).toBe("farm-7");
    vi.setSystemTime(Date.now() + 1);
    expect(keptOrigin().trk).toBeUndefined();
  });

  test("an offer lives one day", { tags: ["spec:9-17", "spec:2.2-04", "fail:K9"] }, () => {
    keepEntryParams({ offer: "SPRING" });
    vi.setSystemTime(Date.now() + day - 1);
    expect(savedDiscountCode()).toBe("SPRING");
    vi.setSystemTime(Date.now() + 1);
    expect(savedDiscountCode()).toBeNull();
  });

  test(
    "origin has utm values, referrer, player and os, and nothing that was not given",
    { tags: ["spec:2.2-06"] },
    () => {
      expect(keptOrigin()).toEqual({});
      const search = "?utm_source=mail&utm_campaign=fall&referredByCustomerId=12&playerId=p1&os=ios";
      keepEntryParams(parseEntryParams(search));
      expect(keptOrigin()).toEqual({
        utmSource: "mail",
        utmCampaign: "fall",
        referredByCustomerId: "12",
        playerId: "p1",
        os: "ios",
      });
    },
  );

  test("the web view is remembered for the tab", { tags: ["spec:2.2-08"] }, () => {
    expect(isInApp()).toBe(false);
    keepEntryParams({ app: true });
    expect(isInApp()).toBe(true);
  });

  test("blocked storage keeps nothing and breaks nothing", () => {
    vi.stubGlobal("localStorage", {
      getItem: () => {
        throw new Error("blocked");
      },
      setItem: () => {
        throw new Error("blocked");
      },
    });
    keepEntryParams({ offer: "SPRING" });
    expect(savedDiscountCode()).toBeNull();
  });
});

test("entry: who referred a shopper is known for 30 days and in the next tab, the campaign in this tab alone", () => {
  keepEntryParams({ referredByCustomerId: "12", utmSource: "mail" });
  vi.stubGlobal("sessionStorage", memory());
  vi.setSystemTime(Date.now() + 30 * day - 1);
  expect(keptOrigin()).toEqual({ referredByCustomerId: "12" });
  vi.setSystemTime(Date.now() + 1);
  expect(keptOrigin()).toEqual({});
});

test("entry: a visit without a source, an offer or a referrer leaves those of the visit before", () => {
  keepEntryParams({ trk: "farm-7", offer: "SPRING", referredByCustomerId: "12", utmSource: "mail", app: true });
  keepEntryParams({ q: "corn" });
  expect(keptOrigin()).toEqual({ trk: "farm-7", referredByCustomerId: "12", utmSource: "mail" });
  expect(savedDiscountCode()).toBe("SPRING");
  expect(isInApp()).toBe(true);
  removeSavedDiscountCode();
  expect(savedDiscountCode()).toBeNull();
});

test("entry: all that is kept or done once leaves the address, a reload must not do it again", () => {
  const once =
    "trk=a&playerId=p&os=ios&offer=X&hubId=1&wagonId=2&lat=1&lng=2&utm_source=s&utm_campaign=c&referredByCustomerId=3&app=true&login=1";
  expect(withoutEntryParams(`?${once}`)).toBe("");
  expect(parseEntryParams("?login=1&app=true")).toEqual({ login: true, app: true });
  expect(parseEntryParams("?login=true")).toEqual({});
});

test("entry: a place on the edge of the globe is one, beyond it none; text is cut and trimmed", () => {
  expect(parseEntryParams("?lat=-90&lng=180")).toEqual({ lat: -90, lng: 180 });
  expect(parseEntryParams("?lat=0&lng=180.1")).toEqual({});
  expect(parseEntryParams(`?q=${"a".repeat(201)}&id=%20%20`)).toEqual({ q: "a".repeat(200) });
});
