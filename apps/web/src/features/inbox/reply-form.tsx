import { Button } from "@marketday/ui/button.tsx";
import { Form } from "@marketday/ui/form.tsx";

import { canSend, MessageField } from "./message-field.tsx";

import s from "./reply-form.module.css";

interface ReplyFormProps {
  vendorName: string;
  text: string;
  /** An earlier one is still on its way, or stands there unsent. */
  isWaiting: boolean;
  onWrite: (text: string) => void;
  onSend: () => void;
}

/** Answers a vendor; what was typed stays until it is sent, through errors and reloads. */
export const ReplyForm = ({ vendorName, text, isWaiting, onWrite, onSend }: ReplyFormProps) => {
  const isReady = canSend(text) && !isWaiting;
  return (
    <div className={s.reply}>
      <Form onSubmit={() => isReady && onSend()}>
        <MessageField label={`Reply to ${vendorName}`} text={text} readOnly={false} onChange={onWrite} />
        <div>
          <Button type="submit" disabled={!isReady}>
            Send
          </Button>
        </div>
      </Form>
    </div>
  );
};
