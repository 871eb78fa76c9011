import { messageOf } from "@marketday/client/messages.ts";
import type { PrintKind } from "@marketday/contracts/admin/bulk";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/bulk";

import { printPath, printQuery } from "./api.ts";

import s from "./bulk.module.css";

/** The contract's own list would bring its validation into the app. */
const PRINTS: readonly PrintKind[] = ["labels", "packing", "receipts"];

/** Of a dialog: one PDF of the chosen orders, in a separate tab. */
export default function PrintDialog({ orderIds, onClose }: { orderIds: readonly number[]; onClose: () => void }) {
  const [kind, setKind] = useState<PrintKind>("receipts");
  const [chosen, setChosen] = useState(orderIds);
  const { data, error } = useQuery(printQuery(kind, chosen));
  return (
    <>
      <DialogTitle>{t.titles.print}</DialogTitle>
      <DialogBody>
        <Stack gap={4}>
          <RadioChips
            legend={t.printWhat}
            chips={PRINTS.map((value) => ({ value, label: t.prints[value] }))}
            value={kind}
            onChange={(next) => {
              setKind(next);
              setChosen(orderIds);
            }}
          />
          <div aria-live="polite">
            {error && <p>{messageOf(error)}</p>}
            {!data && !error && <p>{t.planning}</p>}
            {data && data.refused.length > 0 && (
              <Stack gap={2}>
                <p>{t.refusedTitle(data.refused.length)}</p>
                <ul className={s.refused}>
                  {data.refused.map(({ orderId, name, reason }) => (
                    <li key={orderId}>{t.refusedLine(orderId, name, reason)}</li>
                  ))}
                </ul>
                {data.right.length > 0 && (
                  <Button kind="outline" onClick={() => setChosen(data.right)}>
                    {t.doOthers(data.right.length)}
                  </Button>
                )}
              </Stack>
            )}
          </div>
          {data?.refused.length === 0 && (
            <Button
              wide
              icon="print"
              onClick={() => {
                window.open(printPath(kind, chosen), "_blank", "noopener");
                onClose();
              }}
            >
              {t.openPdf(data.boxes)}
            </Button>
          )}
          <Button kind="quiet" wide onClick={onClose}>
            {t.close}
          </Button>
        </Stack>
      </DialogBody>
    </>
  );
}
