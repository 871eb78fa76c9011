import { Icon, type IconName } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { config } from "../../lib/boot.ts";
import { useTitle } from "../../lib/use-title.ts";
import { OverlayLink, useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { contentQuery } from "./api.ts";
import { ContentWords } from "./content-words.tsx";

import s from "./help-page.module.css";
import words from "./words-page.module.css";

interface CardProps {
  icon: IconName;
  link: ReactNode;
  children: string;
}

/** A way to help; the whole card is its link. */
const Card = ({ icon, link, children }: CardProps) => (
  <li className={s.card}>
    <span className={s.plate}>
      <Icon name={icon} />
    </span>
    <h2 className={s.title}>{link}</h2>
    <p className={s.note}>{children}</p>
  </li>
);

/** spec §2.1 /help: support, FAQ, become a vendor (its page opens in a frame) and media inquiry (a mail link). */
export default function HelpPage() {
  const { hasPage } = useNavigation();
  const { data } = useQuery(contentQuery("help"));
  const title = data?.title || "Help";
  useTitle(title);
  return (
    <div className={words.page}>
      <h1>{title}</h1>
      <ul className={s.cards}>
        {hasPage(paths.support) && (
          <Card
            icon="crate"
            link={
              <Link to={paths.support} className={s.link}>
                Support
              </Link>
            }
          >
            Something wasn't right with an order.
          </Card>
        )}
        <Card
          icon="help"
          link={
            <Link to={paths.faq} className={s.link}>
              FAQ
            </Link>
          }
        >
          Common questions, and a form to ask us.
        </Card>
        <Card
          icon="stall"
          link={
            <OverlayLink to={paths.join} className={s.link}>
              Become a vendor
            </OverlayLink>
          }
        >
          You grow, bake or make something.
        </Card>
        {config.supportEmail && (
          <Card
            icon="mail"
            link={
              <a className={s.link} href={`mailto:${config.supportEmail}?subject=Media%20inquiry`}>
                Media inquiry
              </a>
            }
          >
            You write about food and farming.
          </Card>
        )}
      </ul>
      <ContentWords slug="help" />
      <p>
        <OverlayLink to={paths.contactUs} className={s.contact}>
          Contact us
        </OverlayLink>
      </p>
    </div>
  );
}
