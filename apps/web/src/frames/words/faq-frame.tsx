import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { faqQuery } from "../../features/content/api.ts";
import { AskUs } from "../../features/content/ask-us.tsx";
import { FaqList } from "../../features/content/faq-list.tsx";
import { boot } from "../../lib/boot.ts";
import { followFromFrame } from "../shell/follow.ts";
import { FramePage } from "../shell/frame-page.tsx";

/** The FAQ as a frame. */
export default function FaqFrame() {
  const { data, error, refetch } = useQuery(faqQuery);
  const [missing, setMissing] = useState("");
  return (
    <FramePage title="Frequently asked questions">
      {data ? (
        <FaqList entries={data} hash={location.hash} onFollow={followFromFrame} onMissing={setMissing} />
      ) : error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      ) : (
        <Skeleton label="the answers">
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
      <AskUs profile={boot.profile ?? null} question={missing} />
    </FramePage>
  );
}
