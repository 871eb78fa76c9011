import { ApplicationForm } from "../../features/applications/application-form.tsx";
import { WordsPage } from "./words-page.tsx";

export default function BecomeAVendorFrame() {
  return (
    <WordsPage slug="become-a-vendor" title="Become a vendor">
      <ApplicationForm kind="vendor" />
    </WordsPage>
  );
}
