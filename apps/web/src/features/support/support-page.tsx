import { useMarketNow } from "@marketday/client/clock.ts";
import type { Order } from "@marketday/contracts/orders";
import { statusLabel } from "@marketday/domain/order-state";
import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Panel } from "@marketday/ui/panel.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useLocation } from "react-router";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { aboutOf } from "../contact/about.ts";
import { ContactForm } from "../contact/contact-form.tsx";
import { ordersQuery } from "../orders/api.ts";
import { formatDay, groupOrders } from "../orders/format.ts";
import { useShopper } from "../session/api.ts";

import s from "./support-page.module.css";

/** The number of orders shown before "Show more". */
const FIRST = 6;

/** /support: pick an order, say what went wrong with it (spec §2.1, §2.4 Support screen); or write about anything else. */
export default function SupportPage() {
  useTitle("Support");
  const { isRegistered, isPending, profile } = useShopper();
  return (
    <div className={s.page}>
      <h1>Support</h1>
      <section aria-labelledby="support-order" className={s.part}>
        <h2 id="support-order">Something wrong with an order?</h2>
        {isRegistered || isPending ? <Orders /> : <Guest />}
      </section>
      <section aria-labelledby="support-else" className={s.part}>
        <h2 id="support-else">Something else?</h2>
        <Panel>
          <ContactForm key={profile?.id} about={aboutOf(profile)} />
        </Panel>
      </section>
    </div>
  );
}

/** Guests have no order list (spec §6). */
function Guest() {
  const { openModal } = useNavigation();
  const id = useId();
  return (
    <EmptyState
      icon="wagon"
      title="Log in to pick an order"
      action={
        <Button id={id} onClick={() => openModal({ kind: "login" }, id)}>
          Login
        </Button>
      }
    >
      Then you can send us photos of what went wrong.
    </EmptyState>
  );
}

function Orders() {
  const { data, error, refetch } = useQuery(ordersQuery);
  const { openModal } = useNavigation();
  const id = useId();
  const now = useMarketNow();
  const orderId = Number(new URLSearchParams(useLocation().search).get("order"));
  const [picked, setPicked] = useState<number | null>(orderId > 0 ? orderId : null);
  const [isWhole, setWhole] = useState(false);
  if (!data)
    return error ? (
      <ErrorState message={messages.ordersFetch} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="your orders">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  if (data.length === 0)
    return (
      <EmptyState icon="wagon" title="No orders yet">
        If something's wrong with an order, you can report it here.
      </EmptyState>
    );
  // What came last is what one writes about.
  const orders = [...groupOrders(data)].toReversed().flatMap(({ orders: group }) => group);
  const shown = isWhole ? orders : orders.filter((order, place) => place < FIRST || order.id === picked);
  const order = orders.find((one) => one.id === picked) ?? null;
  return (
    <>
      <RadioRows
        legend="Which order?"
        rows={shown.map((one) => ({
          value: one.id,
          label: formatDay(one, now),
          note: <OrderNote order={one} />,
          end: <Money amount={one.orderTotal} />,
        }))}
        value={order?.id ?? null}
        onChange={setPicked}
      />
      {shown.length < orders.length && (
        <div>
          <Button kind="link" onClick={() => setWhole(true)}>
            Show all {orders.length} orders
          </Button>
        </div>
      )}
      <div>
        <Button
          id={id}
          size="lg"
          disabled={!order}
          onClick={() => order && openModal({ kind: "report-problem", orderId: order.id }, id)}
        >
          {order ? "Report a problem" : "Pick an order first"}
        </Button>
      </div>
    </>
  );
}

const OrderNote = ({ order: { id, status, items } }: { order: Order }) => {
  const titles = items.map(({ product }) => product.title);
  const more = titles.length > 2 ? ` and ${titles.length - 2} more` : "";
  return (
    <>
      {statusLabel(status)} · Order #{id} · {titles.slice(0, 2).join(", ")}
      {more}
    </>
  );
};
