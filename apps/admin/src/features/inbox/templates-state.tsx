import type { ReplyTemplate } from "@marketday/contracts/admin/inbox";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import type { UseQueryResult } from "@tanstack/react-query";

import * as t from "#messages/inbox";

import s from "./inbox.module.css";

export type TemplatesQuery = Pick<UseQueryResult<readonly ReplyTemplate[]>, "data" | "isError" | "refetch">;

/** In place of the templates: they are loading, did not load, or there are none. */
export function TemplatesState({ query: { data, isError, refetch } }: { query: TemplatesQuery }) {
  if (data) return data.length === 0 && <p className={s.quiet}>{t.noTemplates}</p>;
  if (isError) return <ErrorState message={t.templatesFailed} onRetry={() => void refetch()} />;
  return <p className={s.quiet}>{t.loadingTemplates}</p>;
}
