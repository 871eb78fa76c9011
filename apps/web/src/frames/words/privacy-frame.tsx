import { WordsPage } from "./words-page.tsx";

export default function PrivacyFrame() {
  return <WordsPage slug="privacy" title="Privacy Policy" />;
}
