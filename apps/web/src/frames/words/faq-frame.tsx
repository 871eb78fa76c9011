import * as calls from "@marketday/contracts/calls";
import { useState } from "react";

import { AskUs } from "../../features/content/ask-us.tsx";
import { FaqList } from "../../features/content/faq-list.tsx";
import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "../../ui/skeleton.tsx";
import { FramePage } from "../payment/frame-page.tsx";
import { followFromFrame } from "./follow.ts";
import { useLoaded } from "./use-loaded.ts";

/** The FAQ as a frame. */
export default function FaqFrame() {
  const { value, error, retry } = useLoaded(boot.words?.faq, () => call(calls.listFaq));
  const [missing, setMissing] = useState("");
  return (
    <FramePage title="Frequently asked questions" changed={false}>
      {value ? (
        <FaqList entries={value} hash={location.hash} onFollow={followFromFrame} onMissing={setMissing} />
      ) : error ? (
        <ErrorState message={error} onRetry={retry} />
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
