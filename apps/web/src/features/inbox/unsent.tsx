import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";

import s from "./bubbles.module.css";

interface UnsentProps {
  text: string;
  isSending: boolean;
  /** Why it did not go; null when it was only left behind. */
  error: string | null;
  onAgain: () => void;
  onChange: () => void;
}

/** A reply the market does not have yet, where it will stand. */
export const Unsent = ({ text, isSending, error, onAgain, onChange }: UnsentProps) => (
  <div className={s.day}>
    <div className={s.bubble} data-mine="" data-unsent={isSending ? "sending" : "failed"}>
      <p className={s.who}>
        <b>You</b> {isSending ? "Sending…" : "Not sent"}
      </p>
      <p className={s.words}>{text}</p>
    </div>
    {!isSending && (
      <div className={s.unsent}>
        {/* Announced without taking the focus from the text field. */}
        {error && (
          <Banner tone="error" role="alert">
            {error}
          </Banner>
        )}
        <Button onClick={onAgain}>Try again</Button>
        <Button kind="link" onClick={onChange}>
          Change it
        </Button>
      </div>
    )}
  </div>
);
