import { suggestEmail } from "@marketday/domain/email-typo";
import { Button } from "@marketday/ui/button.tsx";

/** "Did you mean ada@gmail.com?" below an address with a mistyped domain; pressed, it is the address. */
export function EmailHint({ email, onAccept }: { email: string; onAccept: (email: string) => void }) {
  const meant = suggestEmail(email);
  return (
    <div role="status">
      {meant !== null && (
        <Button kind="link" onClick={() => onAccept(meant)}>
          Did you mean {meant}?
        </Button>
      )}
    </div>
  );
}
