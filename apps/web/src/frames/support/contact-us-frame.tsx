import { aboutOf } from "../../features/contact/about.ts";
import { ContactForm } from "../../features/contact/contact-form.tsx";
import { boot } from "../../lib/boot.ts";
import { FramePage } from "../shell/frame-page.tsx";

/** `/embed/contact-us`: writes to the market. */
export default function ContactUsFrame() {
  return (
    <FramePage title="Contact us">
      <h2 className="sr">Your message</h2>
      <ContactForm about={aboutOf(boot.profile)} />
    </FramePage>
  );
}
