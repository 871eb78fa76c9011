import { describe, expect, test } from "vitest";

import * as limits from "./limits.ts";
import { toDollars } from "./money.ts";

test("lengths of spec §9", () => {
  expect(limits.ZIP_LENGTH).toBe(5);
  expect([limits.PASSWORD_MIN_REGISTER, limits.PASSWORD_MIN_RESET, limits.EMAIL_MIN]).toEqual([5, 6, 5]);
  expect([limits.REVIEW_MAX, limits.QUESTION_MAX, limits.VENDOR_MESSAGE_MAX, limits.CONTACT_MESSAGE_MAX]).toEqual([
    250, 400, 250, 500,
  ]);
  expect([limits.THREAD_PREVIEW_LENGTH, limits.BLOG_EXCERPT_LENGTH, limits.TRK_LENGTH]).toEqual([100, 200, 50]);
  expect([limits.DESCRIPTION_MORE_MOBILE, limits.DESCRIPTION_MORE_DESKTOP]).toEqual([80, 140]);
});

test("defaults and scales", () => {
  expect([limits.RATING_DEFAULT, limits.RATING_MIN, limits.RATING_MAX, limits.RATING_STEP]).toEqual([5, 0, 5, 0.5]);
  expect([...limits.INTERVAL_WEEKS]).toEqual([1, 2, 3, 4]);
  expect([limits.ENDORSEMENT_SCORE_MIN, limits.ENDORSEMENT_SCORE_MAX, limits.CSAT_MIN, limits.CSAT_MAX]).toEqual([
    1, 5, 1, 5,
  ]);
  expect([limits.NPS_MIN, limits.NPS_MAX, limits.BADGE_MIN, limits.BADGE_MAX]).toEqual([0, 10, 2, 7]);
});

test("timing in milliseconds", () => {
  expect([limits.AUTO_CHECKOUT_LEAD_MS, limits.CUTOFF_HOUR]).toEqual([129_600_000, 1]);
  expect(limits.ANALYTICS_COOKIE_MS).toBe(10_800_000);
  expect(limits.EMAIL_CAPTURE_PAUSE_MS).toBe(2_592_000_000);
  expect([limits.TRK_COOKIE_MS, limits.OFFER_COOKIE_MS]).toEqual([2_592_000_000, 86_400_000]);
  expect(limits.SEARCH_DEBOUNCE_MS).toBe(300);
  expect([limits.TOAST_MS, limits.TOAST_LINK_COPIED_MS, limits.TOAST_ADDED_MS, limits.TOAST_LOGIN_MS]).toEqual([
    1700, 1500, 1000, 600,
  ]);
  expect([limits.QUESTION_SUBMIT_DELAY_MS, limits.LOGOUT_RELOAD_MS, limits.PASSWORD_RESET_REDIRECT_MS]).toEqual([
    1000, 500, 4000,
  ]);
  expect([limits.SESSION_CHECK_MS, limits.VERSION_POLL_MS]).toEqual([900_000, 180_000]);
});

test("money in dollars", () => {
  expect(toDollars(limits.DELIVERY_FEE_DEFAULT)).toBe(8.95);
  expect([toDollars(limits.REFERRAL_FRIEND_DISCOUNT), toDollars(limits.REFERRAL_CREDIT)]).toEqual([20, 20]);
  expect([toDollars(limits.WAGON_PASS_MONTHLY), toDollars(limits.WAGON_PASS_YEARLY)]).toEqual([13.95, 139.95]);
  expect([...limits.TIP_CHOICES]).toEqual([0, 5, 10, 20]);
});

test("page sizes", () => {
  expect([limits.VENDOR_SCREEN_ROWS, limits.VENDOR_PRODUCTS_ROWS, limits.VENDOR_POSTS_ROWS]).toEqual([30, 18, 10]);
  expect([limits.FAVORITES_ROWS, limits.RECOMMENDATIONS_ROWS, limits.MOST_ORDERED_ROWS]).toEqual([20, 5, 5]);
  expect([limits.COLLECTION_ROWS, limits.SEARCH_ROWS, limits.QUICK_SHOP_ROWS]).toEqual([18, 18, 40]);
  expect([limits.INBOX_ROWS, limits.BLOG_ROWS, limits.HUB_SKELETONS, limits.VENDOR_SEARCH_MAX_ROWS]).toEqual([
    5, 12, 6, 25,
  ]);
  expect([limits.BANNERS_SHOWN, limits.BANNERS_CUT_FROM]).toEqual([3, 4]);
});

describe("patterns", () => {
  test.each([
    ["46032", true, true],
    ["46032-1234", false, true],
    ["4603", false, false],
    ["460321", false, false],
    ["4603a", false, false],
    ["46032-12", false, false],
    ["46032\n", false, false],
  ])("zip %j: five digits %s, 5+4 %s", { tags: ["spec:5-29", "spec:5-37"] }, (zip, five, plusFour) => {
    expect(limits.ZIP_PATTERN.test(zip)).toBe(five);
    expect(limits.ZIP_PLUS_FOUR_PATTERN.test(zip)).toBe(plusFour);
  });

  test.each([
    ["317-555-0142", true],
    ["(317) 555-0142", true],
    ["+1 317 555 0142", true],
    ["3175550142", true],
    ["1.317.555.0142", true],
    ["555-0142", false],
    ["317-555-014", false],
    ["317-555-01423", false],
    ["phone", false],
  ])("phone %j: %s", { tags: ["spec:5-38"] }, (phone, ok) => {
    expect(limits.US_PHONE_PATTERN.test(phone)).toBe(ok);
  });
});
