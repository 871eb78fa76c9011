import { pluralIn } from "@marketday/domain/message-format";
// Lists and their filters, in English.

const plural = pluralIn("en");
export const number = (value: number) => value.toLocaleString("en-US");

// The filter box
export const removeToken = (name: string, value: string) => `Remove ${name} ${value}`;
export const clearFilter = "Clear the filter";
export const suggestions = "Suggestions";
export const suggestionCount = (count: number) =>
  plural(count, { one: "1 suggestion", other: `${number(count)} suggestions` });

// Views and the menu of a list
export const views = "Views";
export const changedView = "changed, not saved";
export const saveView = "Save view";
export const saveChanges = (name: string) => `Save changes to “${name}”`;
export const saveNew = "Save as a new view…";
export const renameView = (name: string) => `Rename “${name}”…`;
export const deleteView = (name: string) => `Delete “${name}”`;
export const saveTitle = "Save this view";
export const renameTitle = "Rename the view";
export const saveLead = "A view holds the filter, the order and the columns. It gets a separate tab.";
export const viewName = "Name";
export const viewNameMissing = "Give the view a name, like “Eggs from Cluck & Co.”.";
export const forEveryone = "For everyone";
export const forEveryoneHint = "All of the staff see its tab.";
export const save = "Save view";
export const rename = "Rename";
export const saving = "Saving…";
export const viewSaved = (name: string) => `“${name}” saved`;
export const viewDeleted = (name: string) => `“${name}” deleted`;
export const viewRestored = (name: string) => `“${name}” is back`;
export const viewConflict =
  "Someone else changed this view meanwhile. Its tab shows their version: check it, then save again.";
export const undo = "Undo";
export const more = "More";
export const screenMenu = "More for this list";
