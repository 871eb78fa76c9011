import { ButtonLink } from "@marketday/ui/button.tsx";

import * as t from "#messages/shell";

import { paths } from "../../lib/paths.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useCan } from "../session/api.ts";
import { useHubFilter } from "./hub-filter.ts";

import s from "./not-found-page.module.css";

/** An address without a screen, or one that this person's roles do not include. */
export function NotFoundPage({ isNoAccess = false }: { isNoAccess?: boolean }) {
  const { to } = useHubFilter();
  const seesOrders = useCan("orders.read");
  const title = isNoAccess ? t.noAccess : t.notFound;
  useTitle(title);
  return (
    <div className={s.page}>
      <h1>{title}</h1>
      <p>{isNoAccess ? t.noAccessHint : t.notFoundHint}</p>
      {seesOrders ? (
        <ButtonLink kind="outline" to={to(paths.today)}>
          {t.toToday}
        </ButtonLink>
      ) : (
        <ButtonLink kind="outline" to={to(paths.security)}>
          {t.security}
        </ButtonLink>
      )}
    </div>
  );
}
