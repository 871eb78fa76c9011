import { useQuery } from "@tanstack/react-query";

import { useTitle } from "../../lib/use-title.ts";
import { knownZip } from "../account/known-zip.ts";
import { ApplicationForm } from "../applications/application-form.tsx";
import { useShopper } from "../session/api.ts";
import { contentQuery } from "./api.ts";
import { ContentWords } from "./content-words.tsx";

import s from "./words-page.module.css";

/** Job listings, from the footer (spec §1, §2.3). */
export default function JobsPage() {
  const { data } = useQuery(contentQuery("jobs"));
  const title = data?.title || "Work with us";
  useTitle(title);
  return (
    <div className={s.page}>
      <h1>{title}</h1>
      <ContentWords slug="jobs" />
      <div className={s.form}>
        <ApplicationForm kind="job" zipCode={knownZip(useShopper().profile)} />
      </div>
    </div>
  );
}
