/** Every number of spec §5 and §9, and of docs/product.md beside them, under one name each. Lengths are characters. */

import { cents } from "./money.ts";
import { Day, Hour, Minute, Second } from "./time.ts";

// Lengths (spec §5, §9)
export const ZIP_LENGTH = 5;
export const ZIP_PATTERN = /^\d{5}$/;
/** The contact form also takes 5+4. */
export const ZIP_PLUS_FOUR_PATTERN = /^\d{5}(-\d{4})?$/;
/** Ten digits of a US number with the usual marks, an optional leading 1. */
export const US_PHONE_PATTERN = /^(\+?1[\s.-]?)?(\(\d{3}\)|\d{3})[\s.-]?\d{3}[\s.-]?\d{4}$/;
export const PASSWORD_MIN_REGISTER = 5;
export const PASSWORD_MIN_RESET = 6;
/** Code points, after normalising. */
export const PASSWORD_MAX = 256;
export const EMAIL_MIN = 5;
export const EMAIL_MAX = 254;
/** One @, no spaces, brackets or quotes (failures.md E4); no empty part between, before or after the dots of its host. */
export const EMAIL_PATTERN = /^[^\s@<>()[\]\\,;:"]+@(?:[^\s@<>()[\]\\,;:".]+\.)*[^\s@<>()[\]\\,;:".]+$/;
export const NAME_MIN = 1;
export const NAME_MAX = 100;
export const HANDLE_MAX = 50;
export const ADDRESS_LINE_MAX = 200;
export const DELIVERY_NOTES_MAX = 500;
export const REVIEW_MAX = 250;
export const QUESTION_MAX = 400;
export const VENDOR_MESSAGE_MAX = 250;
export const SURVEY_COMMENT_MAX = 250;
export const ENDORSEMENT_COMMENT_MAX = 250;
export const CONTACT_MESSAGE_MAX = 500;
export const PROBLEM_MESSAGE_MAX = 500;
/** Items that one problem report names. */
export const REPORTED_ITEMS_MAX = 200;
export const PROBLEM_PHOTOS_MAX = 4;
export const PROBLEM_PHOTO_BYTES_MAX = 5 * 1024 * 1024;
/** The largest file that a browser opens to make a photo of it: cameras make less, and a phone runs out of memory above it. */
export const PHOTO_FILE_BYTES_MAX = 50 * 1024 * 1024;
export const THREAD_PREVIEW_LENGTH = 100;
export const BLOG_EXCERPT_LENGTH = 200;
export const TRK_LENGTH = 50;
export const DISCOUNT_CODE_MAX = 50;
export const DESCRIPTION_MORE_MOBILE = 80;
export const DESCRIPTION_MORE_DESKTOP = 140;

// Scales (spec §9)
export const RATING_MIN = 0;
export const RATING_MAX = 5;
export const RATING_STEP = 0.5;
export const RATING_DEFAULT = 5;
/** Stars show from this many ratings on … */
export const STARS_COUNT_ENOUGH = 3;
/** … or from one rating on when the average is at least this. */
export const STARS_FEW_AVERAGE = 3.5;
export const ENDORSEMENT_SCORE_MIN = 1;
export const ENDORSEMENT_SCORE_MAX = 5;
export const CSAT_MIN = 1;
export const CSAT_MAX = 5;
export const NPS_MIN = 0;
export const NPS_MAX = 10;
/** At most one NPS survey in this many days (docs/product.md §8). */
export const NPS_INTERVAL_DAYS = 90;
export const BADGE_MIN = 2;
export const BADGE_MAX = 7;
export const INTERVAL_WEEKS_MIN = 1;
export const INTERVAL_WEEKS_MAX = 4;
export const INTERVAL_WEEKS = [1, 2, 3, 4] as const;
export type IntervalWeeks = (typeof INTERVAL_WEEKS)[number];
export const RELATIONSHIPS = { patron: 1, relative: 2, friend: 3, employee: 4 } as const;

// Money (spec §9 Money)
export const DELIVERY_FEE_DEFAULT = cents(895);
export const REFERRAL_FRIEND_DISCOUNT = cents(2000);
export const REFERRAL_CREDIT = cents(2000);
export const WAGON_PASS_MONTHLY = cents(1395);
export const WAGON_PASS_YEARLY = cents(13_995);
/** The least that a card is charged: Stripe's minimum for US dollars (docs/product.md §7 "Small amounts"). */
export const CARD_MINIMUM = cents(50);
export const GIFT_CARD_MIN = cents(1000);
export const GIFT_CARD_MAX = cents(50_000);
/** Days from today at most until a gift card is emailed (docs/product.md §17). */
export const GIFT_CARD_DAYS_MAX = 366;
/** How often a gift card's buyer may send it, the first time included: a card is no way to mail strangers. */
export const GIFT_CARD_SENDS_MAX = 10;
/** When a gift card is mailed on its day, by the market's clock. */
export const GIFT_CARD_TIME = "07:00";
/** Percent; 0 is no tip. */
export const TIP_CHOICES = [0, 5, 10, 20] as const;
export type TipPercentage = (typeof TIP_CHOICES)[number];

// Cart
export const CART_QUANTITY_MAX = 999;
export const CART_LINES_MAX = 200;
export const BANNERS_SHOWN = 3;
/** From this many on, only BANNERS_SHOWN of them show. */
export const BANNERS_CUT_FROM = 4;

// Pages (spec §9 Page sizes)
export const ROWS_MAX = 100;
export const ROWS_DEFAULT = 20;
export const PAGES_SHOWN_WHOLE = 6;
export const VENDOR_SCREEN_ROWS = 30;
export const VENDOR_PRODUCTS_ROWS = 18;
export const VENDOR_POSTS_ROWS = 10;
export const FAVORITES_ROWS = 20;
export const RECOMMENDATIONS_ROWS = 5;
export const MOST_ORDERED_ROWS = 5;
/** What an empty cart offers. */
export const USUALS_MAX = 4;
export const COLLECTION_ROWS = 18;
/** "My orders". */
export const ORDER_ROWS = 20;
export const SEARCH_ROWS = 18;
export const QUICK_SHOP_ROWS = 40;
export const INBOX_ROWS = 5;
export const BLOG_ROWS = 12;
export const HUB_SKELETONS = 6;
export const FEED_CARDS_MAX = 60;
/** Cards of new products among them. */
export const FEED_NEW_ITEMS_MAX = 10;
export const SUGGESTIONS_MAX = 8;

// Search
export const SEARCH_MIN = 3;
export const SEARCH_MAX = 100;
export const VENDOR_SEARCH_MIN = 2;
export const VENDOR_SEARCH_MAX_ROWS = 25;
export const SEARCH_DEBOUNCE_MS = 300;

// Toasts and delays (spec §9 Timing)
export const TOAST_MS = 1700;
export const TOAST_LINK_COPIED_MS = 1500;
export const TOAST_ADDED_MS = 1000;
export const TOAST_LOGIN_MS = 600;
export const QUESTION_SUBMIT_DELAY_MS = Second.ms;
export const LOGOUT_RELOAD_MS = 500;
export const PASSWORD_RESET_REDIRECT_MS = 4 * Second.ms;
export const SESSION_CHECK_MS = 15 * Minute.ms;
export const VERSION_POLL_MS = 3 * Minute.ms;
/** Until a request of the app counts as unanswered, and one that uploads photos (docs/product.md §17 "Requests"). */
export const REQUEST_DEADLINE_MS = 15 * Second.ms;
export const UPLOAD_DEADLINE_MS = Minute.ms;

/** How long a product, vendor or restock counts as new, in the feed and in a collection's count (docs/product.md §17). */
export const NEW_FOR_MS = 7 * Day.ms;

// Cookies and sessions
export const ANALYTICS_COOKIE_MS = 3 * Hour.ms;
export const EMAIL_CAPTURE_PAUSE_MS = 30 * Day.ms;
export const TRK_COOKIE_MS = 30 * Day.ms;
export const OFFER_COOKIE_MS = Day.ms;
export const BRIDGE_TOKEN_MS = Minute.ms;
export const RESET_TOKEN_MS = Hour.ms;
/** How long the owner of a former email address can take the account back (docs/product.md §17). */
export const EMAIL_UNDO_MS = 7 * Day.ms;
/** How long a vendor may answer by the link in a mail. */
export const ANSWER_LINK_MS = 30 * Day.ms;
/** How long a mailed link to one's data works. */
export const DATA_EXPORT_MS = Day.ms;

// Calendar, checkout, stock (spec §9 Timing, docs/product.md §4, §7)
/** Hour of the cutoff by the hub's wall clock, on the day before delivery. */
export const CUTOFF_HOUR = 1;
export const AUTO_CHECKOUT_LEAD_MS = 36 * Hour.ms;
export const AUTO_CHECKOUT_RETRY_MS = 6 * Hour.ms;
/** How long before auto-checkout, and before the cutoff, their reminders go out. */
export const REMIND_LEAD_MS = 24 * Hour.ms;
export const DELIVERY_WEEKS_AHEAD = 12;
export const HOLD_MS = 10 * Minute.ms;

/** ms; a request for money, or for it back, that has not ended by then has died. */
export const PAYMENT_LEASE_MS = 20 * Second.ms;
export const CHECKOUT_GRACE_MS = 10 * Minute.ms;
export const IDEMPOTENCY_KEY_MS = Day.ms;
/** A saved card is required when the cutoff is further off than this. */
export const SAVED_CARD_AFTER_MS = 6 * Day.ms;
/** A hold that would lapse is renewed no earlier than this before its cutoff, ms (docs/product.md §7). */
export const HOLD_RENEW_BEFORE_MS = 4 * Day.ms;
/** How long a bank's question may stay open after its stock went back on sale, ms: the shopper may still return. */
export const CHALLENGE_MS = 60 * Minute.ms;
/** Window in which orders make a vendor popular. */
export const POPULAR_WINDOW_MS = 90 * Day.ms;

// Charges of closed orders (docs/product.md §17)
/** Orders that one server charges at the same time: the provider is waited for, the pool of connections is not. */
export const CHARGES_AT_ONCE = 8;
/** A charge that no one answered for is sent again after 1, 2, 4 … minutes, at most this long after the last one … */
export const CHARGE_RETRY_MAX_MS = 6 * Hour.ms;
/** … and so often in all, which is about two weeks. */
export const CHARGE_TRIES_MAX = 60;
/** A declined card is charged again a day later, so often in all. */
export const CHARGE_DECLINES_MAX = 4;

/**
 * The digits of a ZIP code as far as they are typed, Arabic and Persian ones too; a pasted ZIP+4 loses its end. Small, because the
 * first view has it.
 */
export const zipDigits = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
    .replace(/\D/g, "")
    .slice(0, ZIP_LENGTH);
