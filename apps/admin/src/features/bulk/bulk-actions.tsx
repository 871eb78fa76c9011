import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";

import * as t from "#messages/bulk";

import { useCan } from "../session/api.ts";
import { LateDialog } from "../shell/late-dialog.tsx";
import { Menu } from "../shell/menu.tsx";
import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";

import s from "./bulk.module.css";

const BulkDialog = lazyWithRetry(() => import("./bulk-dialog.tsx"));
const PrintDialog = lazyWithRetry(() => import("./print-dialog.tsx"));

/** The most orders of one action, as `BULK_ORDERS_MAX` of the contract. */
const MOST = 500;

/** What can be done with the selected orders. A verb that the person may not use is not there. */
export function BulkActions({ orderIds, onClear }: { orderIds: readonly number[]; onClear: () => void }) {
  const [open, setOpen] = useState<t.Verb | "print" | null>(null);
  // The selection of when it was opened: the list changes behind it.
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const may = {
    print: useCan("people.read"),
    message: useCan("inbox.reply"),
    paid: useCan("orders.adjust"),
    deliver: useCan("orders.adjust"),
    place: useCan("orders.adjust"),
    charge: useCan("orders.refund"),
    cancel: useCan("orders.cancel"),
  };
  useEffect(() => {
    void BulkDialog.load();
    void PrintDialog.load();
  }, []);
  const isTooMany = orderIds.length > MOST;
  const start = (verb: t.Verb | "print") => {
    if (isTooMany) return;
    setChosen([...orderIds].toSorted((a, b) => a - b));
    setOpen(verb);
  };
  const keys: (Shortcut | false)[] = [
    may.print && { keys: t.verbKeys.print.toLowerCase(), label: t.titles.print, run: () => start("print") },
    may.message && { keys: t.verbKeys.message.toLowerCase(), label: t.titles.message, run: () => start("message") },
  ];
  useShortcuts(keys.filter((key) => key !== false));
  if (isTooMany) return <span>{t.tooMany(MOST)}</span>;
  const close = () => setOpen(null);
  const menu = (["deliver", "place", "charge", "cancel"] as const).filter((verb) => may[verb]);
  return (
    <>
      {may.print && (
        <button type="button" className={s.verb} onClick={() => start("print")}>
          <Icon name="print" size="sm" />
          {t.print}
        </button>
      )}
      {may.message && (
        <button type="button" className={s.verb} onClick={() => start("message")}>
          <Icon name="mail" size="sm" />
          {t.message}
        </button>
      )}
      {may.paid && (
        <button type="button" className={s.verb} onClick={() => start("paid")}>
          {t.paid}
        </button>
      )}
      {menu.length > 0 && (
        <div className={s.more}>
          <Menu
            title={t.more}
            face={
              <span className={s.verb}>
                {t.more}
                <Icon name="up" size="sm" />
              </span>
            }
          >
            {menu.map((verb) => (
              <button key={verb} type="button" className={s.item} onClick={() => start(verb)}>
                {t.inMenu[verb]}
              </button>
            ))}
          </Menu>
        </div>
      )}
      {open !== null &&
        // Outside of the bar, whose colors and sizes are for what is in it.
        createPortal(
          <LateDialog title={t.titles[open]} onClose={close}>
            {open === "print" ? (
              <PrintDialog orderIds={chosen} onClose={close} />
            ) : (
              <BulkDialog
                verb={open}
                orderIds={chosen}
                onClose={close}
                onDone={() => {
                  close();
                  onClear();
                }}
              />
            )}
          </LateDialog>,
          document.body,
        )}
    </>
  );
}
