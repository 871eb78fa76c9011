import { WordsPage } from "./words-page.tsx";

export default function TermsFrame() {
  return <WordsPage slug="terms" title="Terms of Service" />;
}
