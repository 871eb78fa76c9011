import { pluralIn } from "@marketday/domain/message-format";

const plural = pluralIn("en");

// The kit's texts in English. Every other language has the same ones, with the same parameters.

export const back = "Back";
export const close = "Close";
export const retry = "Retry";
export const dismiss = "Dismiss";
export const dismissTitle = (title: string) => `Dismiss: ${title}`;
export const loading = (what: string) => `Loading ${what}`;

export const problemSummary = "There is a problem";
export const errorPrefix = "Error: ";
export const charactersLeft = (left: number, max: number) => `${left} of ${max} characters left`;
export const charactersTooMany = (over: number) =>
  plural(over, { one: `${over} character too many`, other: `${over} characters too many` });
export const clearSearch = "Clear the search";
export const showPassword = "Show password";

export const previousPicture = "Previous picture";
export const nextPicture = "Next picture";
export const pictureOf = (place: number, count: number) => `${place} of ${count}`;
export const pageNumber = (page: number) => `Page ${page}`;

export const quantityOf = (name: string) => `Quantity of ${name}`;
export const add = (name: string) => `Add ${name}`;
export const addOne = (name: string) => `Add one ${name}`;
export const remove = (name: string) => `Remove ${name}`;
export const removeOne = (name: string) => `Remove one ${name}`;

/** Before a price: alone, and after the new one. */
export const was = "was ";
export const thenWas = ", was ";
export const stars = (rating: number) => `${rating} out of 5 stars`;
export const starsOfReviews = (rating: number, count: number) =>
  `${rating} out of 5 stars, ${plural(count, { one: `${count} review`, other: `${count} reviews` })}`;

export const today = "Today";
export const orderBy = "Order by";
/** "Thu" */
export { weekdayShort as weekday } from "@marketday/domain/calendar-date";

// The back office
export const stepAhead = "not yet";
export const stepNow = "in progress";
export const stepDone = "done";
export const stepDue = "due";
export const stepLate = "late";
export const stepOff = "left out";
export const runStep = (name: string, state: string) => `${name}, ${state}: `;
export const tote = "Tote ";
export const copy = "Copy";
export const copied = "Copied";
export const selectedToCopy = "The command is selected. Copy it with your keyboard.";
export const tryAgain = "Try again";
export const openRow = "Press Enter to open a row, arrow keys to move between rows.";
export const closePanel = "Close the panel";
export const backToList = "Back to the list";
export const previousRow = "Previous row";
export const nextRow = "Next row";
export const copyLink = "Copy the link";
export const linkCopied = "Link copied";
export const linkNotCopied = "The link couldn’t be copied. Copy it from the address bar.";
