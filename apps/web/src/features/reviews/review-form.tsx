import { useAction } from "@marketday/client/forms/use-action.ts";
import { RATING_DEFAULT, REVIEW_MAX } from "@marketday/domain/limits";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CharacterCount, tooLong } from "@marketday/ui/character-count.tsx";
import { EntryButtons } from "@marketday/ui/entries.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Form } from "@marketday/ui/form.tsx";
import { TextArea } from "@marketday/ui/text-input.tsx";
import { useEffect, useRef, useState } from "react";

import { useDraft } from "../../lib/drafts.ts";
import { usePostReview } from "./api.ts";
import { RatingInput } from "./rating-input.tsx";

interface ReviewFormProps {
  productId: number;
  /** Of the comment: what gets the focus back when the account has been made. */
  id: string;
  onPosted: () => void;
  onCancel: () => void;
}

/** Stars and at most 250 characters; Post Review waits for a comment (spec §5 Review). */
export function ReviewForm({ productId, id, onPosted, onCancel }: ReviewFormProps) {
  const [rating, setRating] = useState(RATING_DEFAULT);
  const { text, write, clear } = useDraft(`review-${productId}`);
  const { running, error, attempt } = useAction();
  const post = usePostReview(productId);
  const comment = useRef<HTMLTextAreaElement>(null);
  useEffect(() => comment.current?.focus(), []);
  const over = text.length - REVIEW_MAX;
  const ready = text.trim() !== "" && over <= 0;

  const submit = () => {
    if (!ready) return;
    const run = async () => {
      await post({ rating, comment: text.trim() });
      clear();
      onPosted();
    };
    void attempt("review", run);
  };
  return (
    <Form onSubmit={submit}>
      <RatingInput label="Your rating" value={rating} onChange={setRating} />
      <Field
        label="How was it?"
        id={id}
        hint="Shown with your first name. A new review replaces your last one."
        error={tooLong(over)}
        aside={<CharacterCount length={text.length} max={REVIEW_MAX} />}
      >
        <TextArea ref={comment} value={text} onChange={(event) => write(event.target.value)} />
      </Field>
      {error && (
        <Banner tone="error" role="alert">
          {error}
        </Banner>
      )}
      <EntryButtons>
        <Button type="submit" disabled={!ready} busy={running !== null && "Posting…"}>
          Post Review
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </EntryButtons>
    </Form>
  );
}
