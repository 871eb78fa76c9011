import { useAction } from "@marketday/client/forms/use-action.ts";
import type { OrderList } from "@marketday/contracts/admin/order-list";
import { toast } from "@marketday/ui/toast-store.ts";
import { useCallback, useEffect, useState } from "react";

import { type ListFilter, readAll } from "./api.ts";
import { exportOrders } from "./export-orders.ts";

/** Rows that are printed at most. */
const PRINT_MOST = 2000;

function useProblemToast(problem: string | null): void {
  useEffect(() => {
    if (problem !== null) toast({ text: problem, tone: "error" });
  }, [problem]);
}

/** The orders of a filter on paper and as a file. `printed`: what is printed now, until `endPrint`. */
export function usePrint(filter: ListFilter) {
  const paper = useAction();
  const file = useAction();
  const [printed, setPrinted] = useState<Pick<OrderList, "orders" | "sums"> | null>(null);
  const endPrint = useCallback(() => setPrinted(null), []);
  useProblemToast(paper.error);
  useProblemToast(file.error);
  return {
    printed,
    endPrint,
    print: async () => {
      const read = await paper.attempt("print", () => readAll(filter, PRINT_MOST));
      if (read) setPrinted(read);
    },
    isPrinting: paper.running !== null,
    download: () => void file.attempt("export", () => exportOrders(filter)),
    isExporting: file.running !== null,
  };
}
