import { packLists, vendorSheets } from "@marketday/domain/sheets";

import { drawChanges } from "./changes.ts";
import { drawDriverSheets } from "./driver-sheets.ts";
import { drawFillSheets } from "./fill-sheets.ts";
import { drawLoadLists } from "./load-lists.ts";
import { partsOf, pdfFile, type SheetFile, type SheetInput, writeFiles, type WriteOptions } from "./make.ts";
import { drawPackLists } from "./pack-lists.ts";
import { drawPickSheets } from "./pick-sheets.ts";

export const ALL_SHEETS = "all-sheets.pdf";

/** Writes everything that is printed on plain paper as one file, for one press of a print button. Labels need other paper. */
export function makeAllSheets(input: SheetInput, directory: string, options: WriteOptions = {}): Promise<SheetFile[]> {
  const { day } = input;
  const { stamp, loads, goesTo } = partsOf(day, input);
  const vendors = vendorSheets(day.boxes);
  const draw = pdfFile("All sheets", (pdf) => {
    pdf.retitle("Changes");
    drawChanges(pdf, input.changes);
    pdf.retitle("Pick sheet");
    drawPickSheets(pdf, vendors);
    pdf.retitle("Fill sheet");
    drawFillSheets(pdf, vendors);
    pdf.retitle("Pack list");
    drawPackLists(pdf, packLists(day.boxes), goesTo);
    pdf.retitle("Load list");
    drawLoadLists(pdf, loads);
    pdf.retitle("Driver sheet");
    drawDriverSheets(pdf, loads.routes);
  });
  return writeFiles({ [ALL_SHEETS]: draw }, stamp, directory, options);
}
