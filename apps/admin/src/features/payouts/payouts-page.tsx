import { useParams } from "react-router";

import { NotFoundPage } from "../shell/not-found-page.tsx";
import { DueView } from "./due-view.tsx";
import { PaidView } from "./paid-view.tsx";

/** What the market owes its vendors, and what it has paid them. */
export default function PayoutsPage() {
  const { view, id = null } = useParams();
  if (view === "paid") return <PaidView openId={id} />;
  if (view === undefined || (view === "vendors" && id !== null)) return <DueView openId={id} />;
  return <NotFoundPage />;
}
