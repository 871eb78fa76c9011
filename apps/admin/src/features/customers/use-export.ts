import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/customers";

import { call } from "../../lib/api.ts";
import { useStepUp } from "../session/step-up.tsx";
import { type Customer, rereadCustomer } from "./api.ts";
import { nameOf } from "./format.ts";

/** Gives the browser a file to keep. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads all data of a person, after a step-up. */
export function useExport(customer: Customer) {
  const client = useQueryClient();
  const withStepUp = useStepUp();
  const { running, error, attempt } = useAction();
  const name = nameOf(customer.name);
  const run = async () => {
    const data = await withStepUp(
      { title: t.exportSubject(name), effect: t.exportEffect(name), action: t.verbExport },
      () => call(calls.exportCustomer, { params: { id: customer.id } }),
    );
    if (data === null) return;
    const file = `customer-${customer.id}.json`;
    download(file, `${JSON.stringify(data, null, 2)}\n`);
    toast({ text: t.exported(file) });
    // It is in the history.
    rereadCustomer(client, customer.id);
  };
  return {
    export: () => void attempt("export", run, messageOf),
    isExporting: running !== null,
    failure: error,
  };
}
