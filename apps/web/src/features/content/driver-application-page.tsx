import { useQuery } from "@tanstack/react-query";

import { useTitle } from "../../lib/use-title.ts";
import { knownZip } from "../account/known-zip.ts";
import { ApplicationForm } from "../applications/application-form.tsx";
import { useShopper } from "../session/api.ts";
import { contentQuery } from "./api.ts";
import { ContentWords } from "./content-words.tsx";

import s from "./words-page.module.css";

/** The requirements for drivers, and how to apply (spec §1, §2.3 footer). */
export default function DriverApplicationPage() {
  const { data } = useQuery(contentQuery("driver-application"));
  const title = data?.title || "Driver application";
  useTitle(title);
  return (
    <div className={s.page}>
      <h1>{title}</h1>
      <ContentWords slug="driver-application" />
      <div className={s.form}>
        <ApplicationForm kind="driver" zipCode={knownZip(useShopper().profile)} />
      </div>
    </div>
  );
}
