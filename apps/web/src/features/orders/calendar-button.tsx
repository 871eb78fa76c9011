import { marketNow } from "@marketday/client/clock.ts";
import type { Order } from "@marketday/contracts/orders";
import { Button } from "@marketday/ui/button.tsx";

import { config } from "../../lib/boot.ts";
import { calendarFile } from "./calendar-file.ts";

/** Hands out the delivery day as a calendar file, made in the browser. */
export function CalendarButton({ order, size = "md" }: { order: Order; size?: "md" | "lg" }) {
  const save = () => {
    const { host } = location;
    const file = calendarFile(order, { host, marketName: config.marketName, now: marketNow() });
    const url = URL.createObjectURL(new Blob([file], { type: "text/calendar;charset=utf-8" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `order-${order.id}.ics`;
    link.click();
    // Long enough for any browser to have begun reading it.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  };
  return (
    <Button kind="outline" size={size} icon="leaf" onClick={save}>
      Add to calendar
    </Button>
  );
}
