import { Turnstile } from "@marsidev/react-turnstile";

interface TurnstileBoxProps {
  siteKey: string;
  /** The token, or null when it ran out or could not be had. */
  onToken: (token: string | null) => void;
}

/** Cloudflare's check, where the market chose it (`BOT_CHECK=turnstile`). */
export default function TurnstileBox({ siteKey, onToken }: TurnstileBoxProps) {
  return (
    <Turnstile
      siteKey={siteKey}
      options={{ theme: "auto", size: "flexible" }}
      onSuccess={onToken}
      onExpire={() => onToken(null)}
      onError={() => onToken(null)}
    />
  );
}
