import type { OrderBox } from "@marketday/contracts/admin/orders";

import { CancelForm } from "./cancel-form.tsx";
import { MoveForm } from "./move-form.tsx";
import { NoteForm } from "./note-form.tsx";
import type { OpenForm } from "./open-form.ts";
import { RefundForm } from "./refund-form.tsx";
import { ShortForm } from "./short-form.tsx";

interface VerbFormsProps {
  order: OrderBox;
  form: OpenForm;
  onClose: () => void;
}

/** The form of a verb. Loaded after the panel, which is there without it. */
export default function VerbForms({ order, form, onClose }: VerbFormsProps) {
  switch (form.verb) {
    case "cancel":
      return <CancelForm order={order} onClose={onClose} />;
    case "move":
      return <MoveForm order={order} onClose={onClose} />;
    case "refund":
      return <RefundForm order={order} onClose={onClose} />;
    case "short":
      return <ShortForm order={order} onClose={onClose} />;
    case "note":
      return <NoteForm key={form.note?.id ?? "new"} order={order} note={form.note} onClose={onClose} />;
  }
}
