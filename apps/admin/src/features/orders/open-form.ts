import type { OrderBox } from "@marketday/contracts/admin/orders";

export type StaffNote = OrderBox["staffNotes"][number];

/** The form that is open in the foot of the panel. */
export type OpenForm = { verb: "cancel" | "move" | "refund" | "short" } | { verb: "note"; note: StaffNote | null };
export type Verb = OpenForm["verb"];

const NOTE = "note";

/** The form of a note; null: of a new one. */
export const noteForm = (note: StaffNote | null): OpenForm => ({ verb: NOTE, note });
export const openForm = (verb: Verb): OpenForm => (verb === "note" ? noteForm(null) : { verb });
