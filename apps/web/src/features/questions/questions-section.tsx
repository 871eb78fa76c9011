import { useMarketNow } from "@marketday/client/clock.ts";
import { StaleNotice } from "@marketday/client/stale-notice.tsx";
import type { Product } from "@marketday/contracts/products";
import type { Question } from "@marketday/contracts/questions";
import { Avatar } from "@marketday/ui/avatar.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { Entries, EntryList, EntryMeta, EntryWords } from "@marketday/ui/entries.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useId, useState } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { ago } from "../shop/ago.ts";
import { useQuestions } from "./api.ts";
import { QuestionForm } from "./question-form.tsx";

import s from "./questions.module.css";

/** The questions about a product and its vendor's answers (spec §2.4 Questions and Answers). */
export default function QuestionsSection({ product }: { product: Product }) {
  const query = useQuestions(product.id);
  const { data, error, refetch } = query;
  if (!data)
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="questions">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  return (
    <Entries>
      <StaleNotice query={query} />
      <Ask product={product} isFirst={data.length === 0} />
      {data.length > 0 && (
        <EntryList
          label="Questions and answers"
          entries={data.map((question) => ({
            id: question.id,
            entry: <QuestionRow question={question} product={product} />,
          }))}
        />
      )}
    </Entries>
  );
}

/** Opens the question form; a guest gets an account first, and finds the form open afterwards. */
function Ask({ product, isFirst }: { product: Product; isFirst: boolean }) {
  const { isRegistered } = useShopper();
  const { openModal } = useNavigation();
  const [isAsking, setAsking] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const id = useId();
  const { vendor } = product;
  if (isAsking && isRegistered)
    return (
      <QuestionForm
        productId={product.id}
        vendorName={vendor.name}
        id={id}
        onCancel={() => setAsking(false)}
        onAsked={() => {
          setAsking(false);
          setAsked(true);
        }}
      />
    );
  const ask = () => {
    setAsking(true);
    setAsked(false);
    if (!isRegistered) openModal({ kind: "need-account", why: "question" }, id);
  };
  const button = (
    <Button id={id} kind="outline" onClick={ask}>
      {isAsked ? "Ask another question" : "Ask a question"}
    </Button>
  );
  return (
    <>
      {isAsked && (
        <Banner tone="other" role="status" title="Your question is on its way">
          {vendor.name} will answer here and by email.
        </Banner>
      )}
      {isFirst && !isAsked ? (
        <EmptyState icon="info" title="No questions yet" action={button}>
          {vendor.name} is glad to answer.
        </EmptyState>
      ) : (
        <div>{button}</div>
      )}
    </>
  );
}

function QuestionRow({ question, product }: { question: Question; product: Product }) {
  const now = useMarketNow();
  const { vendor } = product;
  return (
    <article className={s.question}>
      <EntryWords strong>{question.question}</EntryWords>
      <EntryMeta>Posted {ago(question.created, now)}</EntryMeta>
      {question.answer === null ? (
        <EntryMeta>Waiting for an answer. Only you can see this.</EntryMeta>
      ) : (
        <div className={s.answer}>
          <Avatar id={vendor.id} name={vendor.name} picture={vendor.avatar} size="sm" />
          <div>
            <EntryMeta>{vendor.name}</EntryMeta>
            <EntryWords>{question.answer}</EntryWords>
          </div>
        </div>
      )}
    </article>
  );
}
