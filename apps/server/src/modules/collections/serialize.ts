import type { Collection } from "@marketday/contracts/collections";

import { serializePictureOrNull } from "../../lib/picture.ts";
import type { CollectionRow } from "./store.ts";

const fieldsOf = (row: CollectionRow) => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  image: serializePictureOrNull(row.image),
  showInCollections: row.show_in_collections,
  showInMainMenu: row.show_in_main_menu,
  newItemsCount: row.new_items,
});

/** Rows → contract: children are listed in their parent; a child whose parent is missing is left out. */
export const serializeCollections = (rows: readonly CollectionRow[]): Collection[] =>
  rows
    .filter((row) => row.parent_id === null)
    .map((row) => ({ ...fieldsOf(row), children: rows.filter((child) => child.parent_id === row.id).map(fieldsOf) }));
