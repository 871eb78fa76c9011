import { useState } from "react";

import { ActionToast, ActionToasts } from "../src/admin/action-toast.tsx";
import { CommandHint } from "../src/admin/command-hint.tsx";
import { Compact } from "../src/admin/compact.tsx";
import { CountList } from "../src/admin/count-list.tsx";
import { type Column, DataTable } from "../src/admin/data-table.tsx";
import { Kbd } from "../src/admin/kbd.tsx";
import { Leaf } from "../src/admin/leaf.tsx";
import { Mark, type MarkShape } from "../src/admin/mark.tsx";
import { Pips } from "../src/admin/pips.tsx";
import { RunLine, RunLineHead, type RunStep } from "../src/admin/run-line.tsx";
import { SidePanel } from "../src/admin/side-panel.tsx";
import { StatusMark } from "../src/admin/status-mark.tsx";
import { ToteTag } from "../src/admin/tote-tag.tsx";
import { VendorMark } from "../src/admin/vendor-mark.tsx";
import { ViewTabs } from "../src/admin/view-tabs.tsx";
import { Button, ButtonLink } from "../src/button.tsx";
import { Cluster, Stack } from "../src/layout.tsx";
import { Link } from "../src/link.tsx";
import { Money } from "../src/price.tsx";

const shapes: [MarkShape, string[]][] = [
  ["ahead", ["Upcoming", "Held $41.20"]],
  ["now", ["Packing", "On the van"]],
  ["ok", ["Paid", "Here 2:31 PM"]],
  ["done", ["Done"]],
  ["due", ["Owes $5.00", "3 short"]],
  ["late", ["Card declined"]],
  ["back", ["Refund $4.20 sent"]],
  ["off", ["Cancelled", "Missed"]],
];

const names = [
  "Opens",
  "Auto-checkout",
  "Cutoff",
  "Sheets",
  "Vendors in",
  "Filled",
  "Loaded",
  "Delivered",
  "Closed",
  "Paid out",
];
const run = (states: RunStep["state"][], words: string[]): RunStep[] =>
  names.map((name, index) => ({ key: name, name, state: states[index] ?? "ahead", words: words[index] ?? "Sat" }));
const packing = run(
  ["done", "done", "done", "done", "now"],
  ["Nov 18", "37", "Thu 1 AM", "v2", "11 of 17", "6 PM", "9 AM", "10 AM", "Fri"],
);
const late = run(["done", "done", "done", "late"], ["Nov 18", "22", "Thu 1 AM", "due 6 AM", "3 PM", "4 PM", "8 AM"]);
const over = run(
  ["done", "off", "done", "done", "done", "done", "done", "done", "done", "due"],
  ["Nov 17", "not used", "Mon 1 AM", "v1", "15 of 15", "82", "82", "82", "Wed", "15 farms"],
);

interface Order {
  tote: number;
  customer: string;
  place: string;
  total: number;
  late?: boolean;
}
const orders: Order[] = [
  { tote: 3, customer: "Anna Castillo", place: "Carmel Depot Barn, the second shelf from the door", total: 84.15 },
  { tote: 7, customer: "Ben Novak", place: "To the door", total: 38.6, late: true },
  { tote: 9, customer: "Priya Sullivan", place: "To the door", total: 141.2 },
];
const columns: Column<Order>[] = [
  {
    key: "tote",
    head: "Tote",
    cell: ({ tote }) => <ToteTag number={tote} />,
    width: "xs",
    beside: "xs",
    narrow: "start",
  },
  {
    key: "customer",
    head: "Customer",
    cell: ({ customer }) => <b>{customer}</b>,
    width: "md",
    beside: "auto",
    narrow: "title",
  },
  { key: "place", head: "Where to", cell: ({ place }) => <span>{place}</span>, narrow: "note" },
  {
    key: "state",
    head: "Money",
    cell: ({ late }) => (
      <StatusMark shape={late ? "late" : "ok"} quiet>
        {late ? "Card declined" : "Paid"}
      </StatusMark>
    ),
    width: "md",
  },
  {
    key: "total",
    head: "Total",
    cell: ({ total }) => <Money amount={total} />,
    numeric: true,
    width: "amount",
    beside: "amount",
    narrow: "end",
  },
];
const noOrders = {
  title: "No Thursday orders owe money.",
  note: "128 orders, 1 filter.",
  action: <Link to="/admin">Clear the filter</Link>,
};
const noop = () => {};

function Orders() {
  const [open, setOpen] = useState<number>();
  return (
    <DataTable
      label="Orders that open"
      columns={columns}
      rows={orders}
      rowKey={({ tote }) => tote}
      onOpen={({ tote }) => setOpen(tote)}
      openKey={open}
      sums={[
        { label: "Orders", value: 3 },
        { label: "Total", value: <Money amount={263.95} /> },
      ]}
      empty={noOrders}
    />
  );
}

const views = [
  { key: "all", label: "All", count: 128, to: "/admin/boxes" },
  { key: "due", label: "To collect", count: 7, to: "/admin/boxes?show=due" },
];

/** A list with its panel, which closes to a button that opens it again. */
function Panel() {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Open the panel</Button>;
  return (
    <SidePanel
      label="Order 397 120 862"
      place="1 of 2"
      onNext={noop}
      link="/admin/orders/397120862"
      onClose={() => setOpen(false)}
      isWhole={false}
      titleId="gallery-panel"
      title="Flora Evans"
      mark={<ToteTag number={14} size="lg" />}
      note={<p>Carmel market, door delivery, route A stop 9</p>}
      end={
        <StatusMark shape="now" pill>
          Packing
        </StatusMark>
      }
      side={<p>31 orders since March</p>}
      foot={<p>What can be done with it</p>}
    >
      <p>What is in the box</p>
    </SidePanel>
  );
}

const table = { columns, rowKey: ({ tote }: Order) => tote, empty: noOrders };

function Toasts() {
  const [isOpen, setOpen] = useState(false);
  const [areAll, setAll] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="outline" onClick={() => setOpen(!isOpen)}>
        Show what is held
      </Button>
      {isOpen && (
        <ActionToasts
          label="What you did"
          more={{ label: "and 1 more", isOpen: areAll, onToggle: () => setAll(!areAll) }}
        >
          <ActionToast
            title="3 refunds and 3 emails send in 42 s"
            countdown={{ left: 42, of: 60 }}
            action={{ label: "Undo", icon: "undo", onRun: close }}
            onClose={close}
          />
        </ActionToasts>
      )}
    </>
  );
}

/** The parts of the back office, which the shop never loads. */
export const adminSections = [
  {
    title: "Back office: signs",
    cases: [
      {
        state: "StatusMark: the eight marks",
        wide: true,
        shown: (
          <Cluster gap={5}>
            {shapes.flatMap(([shape, words]) =>
              words.map((word) => (
                <StatusMark key={word} shape={shape}>
                  {word}
                </StatusMark>
              )),
            )}
          </Cluster>
        ),
      },
      {
        state: "StatusMark, pill: of a page or a panel",
        wide: true,
        shown: (
          <Cluster gap={5}>
            {shapes.map(([shape, [word]]) => (
              <StatusMark key={shape} shape={shape} pill>
                {word}
              </StatusMark>
            ))}
          </Cluster>
        ),
      },
      {
        state: "StatusMark, quiet: in tables",
        wide: true,
        shown: (
          <Cluster gap={5}>
            {shapes.map(([shape, [word]]) => (
              <StatusMark key={shape} shape={shape} quiet>
                {word}
              </StatusMark>
            ))}
          </Cluster>
        ),
      },
      {
        state: "Mark: md, lg",
        shown: (
          <Cluster gap={3}>
            {shapes.map(([shape]) => (
              <Mark key={shape} shape={shape} />
            ))}
            {shapes.map(([shape]) => (
              <Mark key={shape} shape={shape} size="lg" />
            ))}
          </Cluster>
        ),
      },
      {
        state: "Leaf: sm, md, lg",
        shown: (
          <Cluster gap={3}>
            <Leaf date="2026-11-26" size="sm" />
            <Leaf date="2026-11-26" />
            <Leaf date="2026-11-26" size="lg" />
          </Cluster>
        ),
      },
      {
        state: "ToteTag: md, lg",
        shown: (
          <Cluster gap={3}>
            <ToteTag number={14} />
            <ToteTag number={128} size="lg" />
          </Cluster>
        ),
      },
      {
        state: "Pips: md, lg, nothing missing, above 24 a bar",
        shown: (
          <Stack gap={2} align="start">
            <Pips of={3} came={2} />
            <Pips of={12} came={9} size="lg" />
            <Pips of={4} came={4} />
            <Pips of={120} came={87} />
          </Stack>
        ),
      },
      {
        state: "VendorMark",
        shown: (
          <Stack gap={2}>
            <VendorMark id={4} name="Cluck & Co." />
            <VendorMark id={2} name="Salt Creek Orchard" />
            <VendorMark id={7} name="Rooted Acre Farm" />
          </Stack>
        ),
      },
      {
        state: "Kbd: a key, keys together, in a button",
        shown: (
          <Cluster gap={3}>
            <Kbd keys="Enter" />
            <Kbd keys="Ctrl K" />
            <Button>
              Create sheets
              <Kbd keys="Enter" inButton />
            </Button>
          </Cluster>
        ),
      },
      {
        state: "Compact: buttons md, sm",
        shown: (
          <Cluster gap={3}>
            <Compact>
              <Button>Save</Button>
              <Button kind="outline" icon="print">
                Print
              </Button>
            </Compact>
            <Compact size="sm">
              <Button kind="outline">Settle</Button>
              <ButtonLink to="/admin" kind="outline">
                Review
              </ButtonLink>
            </Compact>
          </Cluster>
        ),
      },
      {
        state: "CommandHint: short, with its key, long",
        shown: (
          <Stack gap={2} align="start">
            <CommandHint command="doctor" />
            <CommandHint command="jobs run" keys="Enter" />
            <CommandHint command="day sheets fort-collins 2026-11-26 --drivers 3" />
          </Stack>
        ),
      },
    ],
  },
  {
    title: "Back office: Today",
    cases: [
      {
        state: "RunLineHead and RunLine: packing, late, over",
        wide: true,
        shown: (
          <Stack gap={4}>
            <RunLineHead names={names} />
            <RunLine label="Carmel, Thursday" steps={packing} />
            <RunLine label="Fort Collins, Thursday" steps={late} />
            <RunLine label="Madison, Tuesday" steps={over} />
          </Stack>
        ),
      },
      {
        state: "CountList: links and commands; quiet, due, late",
        shown: (
          <CountList
            title="Money"
            counts={[
              { key: "declined", label: "Cards declined", value: "2", level: "due", command: "orders list --declined" },
              { key: "collect", label: "To collect at the door", value: "$184.20", to: "/admin/orders" },
              { key: "payouts", label: "Payouts to approve", value: "$14,891.38", level: "late", to: "/admin/payouts" },
            ]}
          />
        ),
      },
    ],
  },
  {
    title: "Back office: what was done",
    cases: [
      {
        state: "ActionToast: held, done, refused",
        wide: true,
        shown: (
          <Stack gap={2} align="start">
            <ActionToast
              title="3 refunds and 3 emails send in 8 s"
              countdown={{ left: 8, of: 60 }}
              action={{ label: "Undo", icon: "undo", onRun: noop }}
              onClose={noop}
            />
            <ActionToast
              title="40 boxes marked as paid"
              icon="check"
              action={{ label: "Undo", icon: "undo", busy: "Undoing…", onRun: noop }}
              onClose={noop}
            />
            <ActionToast
              title="Could not be done: 2 boxes were delivered since."
              detail="Pasture Eggs, 9 of 12"
              tone="error"
              icon="warn"
              link={<Link to="/admin">Show</Link>}
              onClose={noop}
            />
          </Stack>
        ),
      },
      { state: "ActionToasts: at their place, with others", shown: <Toasts /> },
    ],
  },
  {
    title: "Back office: tables",
    cases: [
      { state: "DataTable: rows that open, with sums", wide: true, shown: <Orders /> },
      {
        state: "DataTable: beside a panel, with a row that someone has changed",
        shown: (
          <DataTable
            {...table}
            label="Orders beside a panel"
            rows={orders}
            isBeside
            openKey={7}
            changed={{ keys: new Set([9]), word: ", changed" }}
          />
        ),
      },
      {
        state: "ViewTabs: filters of a list",
        wide: true,
        shown: <ViewTabs label="Views" views={views} current="all" />,
      },
      { state: "SidePanel: one row of a list", wide: true, shown: <Panel /> },
      {
        state: "DataTable: loading, then bones",
        shown: <DataTable {...table} label="Orders on the way" rows={undefined} />,
      },
      { state: "DataTable: empty", shown: <DataTable {...table} label="No orders" rows={[]} /> },
      {
        state: "DataTable: failed",
        shown: (
          <DataTable
            {...table}
            label="Orders that failed"
            rows={undefined}
            failure={{
              title: "Orders didn’t load.",
              note: "The server didn’t answer. Your filters are kept.",
              onRetry: noop,
            }}
          />
        ),
      },
      {
        state: "DataTable: stale",
        shown: <DataTable {...table} label="Orders of 2:31 PM" rows={orders} stale="As of 2:31 PM. You’re offline." />,
      },
    ],
  },
];
