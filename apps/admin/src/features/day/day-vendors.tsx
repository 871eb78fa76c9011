import type { DaySheets } from "@marketday/contracts/admin/days";
import { type Column, DataTable } from "@marketday/ui/admin/data-table.tsx";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";

import * as t from "#messages/day";

import s from "./day.module.css";

type Vendor = DaySheets["vendors"][number];

const columns: readonly Column<Vendor>[] = [
  { key: "vendor", head: t.vendor, narrow: "title", cell: ({ id, name }) => <VendorMark id={id} name={name} /> },
  { key: "items", head: t.products, numeric: true, width: "sm", cell: ({ items }) => items },
  { key: "units", head: t.units, numeric: true, width: "sm", narrow: "end", cell: ({ units }) => units },
];

/** What each vendor brings. */
export const DayVendors = ({ day }: { day: DaySheets }) => (
  <section className={s.vendors} aria-labelledby="day-vendors">
    <h2 id="day-vendors">{t.vendorsOfDay}</h2>
    <DataTable
      label={t.vendorsOfDay}
      columns={columns}
      rows={day.vendors}
      rowKey={({ id }) => id}
      empty={{ title: t.noVendors }}
    />
  </section>
);
