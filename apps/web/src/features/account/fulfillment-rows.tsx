import type { PickupPoint } from "@marketday/contracts/hubs";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";

interface MethodRowsProps {
  value: "delivery" | "pickup" | null;
  onChange: (value: "delivery" | "pickup") => void;
  points: PickupPoint[];
  /** What home delivery costs. */
  fee: string | null;
}

/** Home delivery or pickup, each with its price. */
export const MethodRows = ({ value, onChange, points, fee }: MethodRowsProps) => (
  <RadioRows<"delivery" | "pickup">
    legend="Delivery method"
    legendHidden
    value={value}
    onChange={onChange}
    rows={[
      { value: "delivery", label: "Home delivery", note: "To your door", end: fee },
      {
        value: "pickup",
        label: "Pickup",
        note:
          points.length === 1 && points[0]
            ? `${points[0].name}, ${points[0].city}`
            : `${points.length || "No"} places to choose from`,
        end: "Free",
      },
    ]}
  />
);

interface PointRowsProps {
  value: number | null;
  onChange: (id: number) => void;
  points: PickupPoint[];
}

/** The pickup points, each with its address and hours. */
export const PointRows = ({ value, onChange, points }: PointRowsProps) => (
  <RadioRows
    legend="Pickup point"
    value={value}
    onChange={onChange}
    rows={points.map(({ id, name, address, city, hours }) => ({
      value: id,
      label: name,
      note: [`${address}, ${city}`, hours].filter(Boolean).join(" · "),
    }))}
  />
);
