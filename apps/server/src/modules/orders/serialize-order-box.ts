import type { StaffAction } from "@marketday/contracts/admin/actions";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import type { Address } from "@marketday/contracts/common";
import { lineName } from "@marketday/domain/cart";
import { can } from "@marketday/domain/staff";
import { totalRows } from "@marketday/domain/total-rows";
import { WAIVED_LINE } from "@marketday/domain/waived";

import type { StaffActor } from "../identity/context.ts";
import { serializePicture } from "../pictures/picture-row.ts";
import { boxHistory } from "./box-history.ts";
import { boxLedger } from "./box-ledger.ts";
import { boxStatus, dollars, serializeBoxMoney } from "./box-money.ts";
import { boxSteps } from "./box-steps.ts";
import type { BoxOrderRow, OrderBoxRow } from "./order-box-sql.ts";

type Total = OrderBox["totals"][number];

/** The rows of a receipt by their labels, which the shop has. */
const ROWS: Readonly<Record<string, Total["row"]>> = {
  Items: "items",
  Discount: "discount",
  "Home delivery": "delivery",
  Pickup: "pickup",
  "Tip for the driver": "tip",
  "Processing fee": "processing",
  Tax: "tax",
  [WAIVED_LINE]: "waived",
};

function totalsOf(orders: readonly BoxOrderRow[], type: "delivery" | "pickup"): Total[] {
  const sum = (amountOf: (order: BoxOrderRow) => number) => orders.reduce((all, order) => all + amountOf(order), 0);
  const rows = totalRows({
    type,
    items: sum((order) => order.itemsCents),
    discount: sum((order) => order.discountCents),
    delivery: sum((order) => order.deliveryCents),
    tip: sum((order) => order.tipCents),
    processing: sum((order) => order.processingCents),
    tax: sum((order) => order.taxCents),
    waived: sum((order) => order.waivedCents),
  });
  return rows.map(({ label, amount }) => {
    const row = ROWS[label];
    if (row === undefined) throw new Error(`the row ${label} of a total has no key`);
    return { row, amount: dollars(amount) };
  });
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The oldest addresses have no second line or instructions. */
const addressOf = (stored: Record<string, unknown> | null): Address | null =>
  stored && {
    address: text(stored["address"]),
    address2: text(stored["address2"]),
    city: text(stored["city"]),
    state: text(stored["state"]),
    zipCode: text(stored["zipCode"]),
    instructions: text(stored["instructions"]),
  };

/** "a•••@example.com" */
const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, "$1•••");
/** "••••0142" */
const maskPhone = (phone: string): string => (phone === "" ? "" : `••••${phone.replaceAll(/\D/g, "").slice(-4)}`);

/** A box as a person of the staff may read it: who may not read people sees no address, notes or full phone and email. */
export function serializeOrderBox(row: OrderBoxRow, actor: StaffActor, held: StaffAction[]): OrderBox {
  const { hub, orders, customer } = row;
  const may = (permission: Parameters<typeof can>[1]) => can(actor.grants, permission, hub.id);
  const readsPeople = may("people.read");
  const steps = boxSteps(row);
  const history = boxHistory(row, steps);
  const live = orders.filter(({ status }) => status !== "cancelled");
  const closed = live.filter(({ status }) => status === "pending" || status === "closed");
  const hasAccount = customer !== null;
  const counted = orders.filter(({ status }) => status !== "cancelled" || row.is_cancelled);
  return {
    id: row.id,
    orderIds: orders.map(({ id }) => id),
    version: row.version,
    hub,
    day: row.day,
    tote: row.tote,
    status: boxStatus(orders.map(({ status }) => status)),
    place: row.place,
    isPickup: row.type === "pickup",
    address: readsPeople ? addressOf(row.address) : null,
    driver: row.driver,
    stop: row.stop,
    notes: readsPeople ? row.notes : "",
    staffNotes: readsPeople
      ? row.staff_notes.map(({ at, editedAt, ...note }) => ({
          ...note,
          at: new Date(at).toISOString(),
          editedAt: editedAt === null ? null : new Date(editedAt).toISOString(),
        }))
      : [],
    source: orders[0]!.source,
    lines: row.lines.map(({ product, variant, picture, unitCents, ...line }) => ({
      ...line,
      title: lineName(product, variant),
      image: picture === null ? null : serializePicture({ id: picture, alt: "", thumbhash: "" }).url,
      each: dollars(unitCents),
    })),
    totals: totalsOf(counted, row.type),
    total: dollars(row.total_cents),
    credit: dollars(counted.reduce((sum, { creditCents }) => sum + creditCents, 0)),
    money: serializeBoxMoney(row),
    steps,
    ledger: may("money.read") || may("orders.refund") ? boxLedger(row.ledger, row.audit) : null,
    customer: customer && {
      id: customer.id,
      name: customer.name,
      email: readsPeople ? customer.email : maskEmail(customer.email),
      phone: readsPeople ? customer.phone : maskPhone(customer.phone),
      orders: customer.boxes,
      since: customer.since === null ? null : new Date(customer.since).toISOString(),
      credit: dollars(customer.creditCents),
    },
    history,
    held,
    can: {
      markPaid:
        may("orders.adjust") &&
        orders.some(
          ({ status, dueCents, hasCustomer }) =>
            (status === "pending" || status === "closed") && dueCents > 0 && hasCustomer,
        ),
      cancel: may("orders.cancel") && !row.is_cancelled,
      resend: may("orders.adjust") && history.some(({ mailId }) => mailId !== null),
      refund:
        may("orders.refund") &&
        hasAccount &&
        counted.some(
          ({ status, paymentState, creditCents }) =>
            status !== "cancelled" && (paymentState === "captured" || creditCents > 0),
        ),
      short:
        may("orders.adjust") &&
        hasAccount &&
        row.lines.some(({ quantity }) => quantity > 0) &&
        closed.length > 0 &&
        closed.every(({ writtenOffAt }) => writtenOffAt === null),
      note: may("orders.adjust") && readsPeople,
      changePlace:
        may("orders.adjust") && hasAccount && live.length > 0 && live.every(({ status }) => status !== "closed"),
      moveDay:
        may("orders.adjust") && live.length > 0 && live.every(({ status }) => status === "open" || status === "future"),
      charge:
        may("orders.refund") &&
        closed.some(
          ({ chargeFailedAt, writtenOffAt, totalCents, creditCents }) =>
            chargeFailedAt !== null && writtenOffAt === null && totalCents > creditCents,
        ),
    },
  };
}
