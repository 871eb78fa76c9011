import type { Customer } from "@marketday/contracts/account";
import { useEffect, useRef } from "react";

import { config } from "../../lib/boot.ts";
import { aboutOf } from "../contact/about.ts";
import { ContactForm } from "../contact/contact-form.tsx";

import s from "./words-page.module.css";

interface AskUsProps {
  /** Who writes, as far as the market knows. */
  profile: Customer | null;
  /** What was searched for and not found. */
  question: string;
}

/** The way to a person, below the FAQ (spec §2.1 /faq): the contact form. */
export function AskUs({ profile, question }: AskUsProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The page was not there yet when the browser looked for the place its address names.
    if (location.hash === "#contact") section.current?.scrollIntoView();
  }, []);
  return (
    <section id="contact" ref={section} className={s.ask} aria-labelledby="contact-title">
      <h2 id="contact-title">Ask us</h2>
      <ContactForm key={profile?.customerId ?? ""} about={aboutOf(profile)} question={question} />
      {config.supportPhone && <p>Or call {config.supportPhone}.</p>}
    </section>
  );
}
