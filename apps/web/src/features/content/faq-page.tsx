import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { faqQuery } from "./api.ts";
import { AskUs } from "./ask-us.tsx";
import { FaqList } from "./faq-list.tsx";

import s from "./words-page.module.css";

/** spec §2.1 /faq: searchable questions, each with its own address, and the contact form below. */
export default function FaqPage() {
  useTitle("FAQ");
  const { data, error, refetch } = useQuery(faqQuery);
  const { hash } = useLocation();
  const { open } = useNavigation();
  const { profile } = useShopper();
  const [missing, setMissing] = useState("");
  return (
    <div className={s.page}>
      <h1>Frequently asked questions</h1>
      {data ? (
        <FaqList entries={data} hash={hash} onFollow={(path) => open(path)} onMissing={setMissing} />
      ) : error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      ) : (
        <Skeleton label="the answers">
          <div className={s.page}>
            {Array.from({ length: 6 }, (_, index) => (
              <SkeletonPart key={index} kind="row" />
            ))}
          </div>
        </Skeleton>
      )}
      <AskUs profile={profile} question={missing} />
    </div>
  );
}
