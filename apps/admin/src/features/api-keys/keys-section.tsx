import * as calls from "@marketday/contracts/admin/calls";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/api-keys";

import { call } from "../../lib/api.ts";
import { type ApiKey, apiKeysQuery } from "./api.ts";
import { CreateKey } from "./create-key.tsx";
import { KeyRows } from "./key-rows.tsx";
import { endingOf, RevokeDialog } from "./revoke-dialog.tsx";

import s from "../session/security-page.module.css";

const HEADING = "security-keys";

/** One's own API keys. */
export function KeysSection() {
  const client = useQueryClient();
  const { data: keys, isError, refetch } = useQuery(apiKeysQuery);
  const [isCreating, setCreating] = useState(false);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const words = ending && endingOf(ending);
  const revoke = async (key: ApiKey) => {
    try {
      await call(calls.revokeApiKey, { params: { id: key.id } });
    } finally {
      await client.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    }
    toast({ text: endingOf(key).done });
    return true;
  };
  return (
    <section className={s.section} aria-labelledby={HEADING}>
      <div className={s.title}>
        <h2 id={HEADING} tabIndex={-1}>
          {t.title}
        </h2>
        <Compact>
          <Button kind="outline" icon="plus" onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        </Compact>
      </div>
      <p className={s.note}>{t.lead}</p>
      {keys ? (
        keys.length === 0 ? (
          <p className={s.note}>{t.none}</p>
        ) : (
          <KeyRows labelledBy={HEADING} keys={keys} onRevoke={setEnding} />
        )
      ) : isError ? (
        <ErrorState message={t.failed} onRetry={() => void refetch()} />
      ) : (
        <Skeleton label={t.loading}>
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
      {isCreating && <CreateKey returnTo={HEADING} onClose={() => setCreating(false)} />}
      {ending && words && (
        <RevokeDialog
          title={words.title}
          effect={words.effect}
          action={words.action}
          returnTo={HEADING}
          revoke={() => revoke(ending)}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}
