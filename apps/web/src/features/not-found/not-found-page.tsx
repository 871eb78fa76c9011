import { ButtonLink } from "@marketday/ui/button.tsx";
import { Link } from "@marketday/ui/link.tsx";

import * as t from "#messages/not-found";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { paths } from "../../navigation/paths.ts";

import s from "./not-found-page.module.css";

/** Any unknown address: the wagon has lost a wheel. */
export default function NotFoundPage() {
  useTitle(t.title);
  return (
    <div className={s.lost}>
      <svg className={s.wagon} viewBox="0 0 160 110" aria-hidden="true">
        <path className={s.ground} d="M6 98h148" />
        <g className={s.cart}>
          <path d="M22 40h92l-8 38H32z" />
          <path d="M114 43l26-22M48 40V24m20 16V19m20 21V24" />
          <circle cx="48" cy="82" r="15" />
          <path d="M48 67v30M33 82h30" />
        </g>
        <g className={s.wheel}>
          <circle cx="132" cy="86" r="12" />
          <path d="M132 74v24M120 86h24" />
        </g>
      </svg>
      <h1>{messages.notFound}</h1>
      <p>{t.explanation}</p>
      <ButtonLink to={paths.shop} size="lg">
        {t.backToMarket}
      </ButtonLink>
      <p>
        {t.lookingFor} <Link to={paths.contact}>{t.askForHelp}</Link>
      </p>
    </div>
  );
}
