import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { MenuRow, MenuRows } from "@marketday/ui/menu-rows.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQuery } from "@tanstack/react-query";

import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { boxesQuery } from "./api.ts";

/** The way to "Your next boxes", with the day and the sum of the first one that is coming. */
export function NextBoxRow() {
  const { data: boxes } = useQuery(boxesQuery);
  const { open } = useNavigation();
  const next = boxes?.find(({ state }) => state === "planned") ?? boxes?.[0];
  if (!next) return null;
  return (
    <MenuRows>
      <MenuRow
        mark={<CalendarLeaf date={next.deliveryDate} />}
        note={next.lines.length > 0 && formatMoney(next.orderTotal)}
        leads
        onClick={() => open(paths.nextBoxes)}
      >
        Your next boxes
      </MenuRow>
    </MenuRows>
  );
}
