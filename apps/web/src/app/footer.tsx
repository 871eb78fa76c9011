import { marketNow } from "@marketday/client/clock.ts";
import { Link } from "@marketday/ui/link.tsx";

import { config } from "../lib/boot.ts";
import { OverlayLink } from "../navigation/overlays.ts";
import { paths } from "../navigation/paths.ts";

import s from "./footer.module.css";

/** The links of the spec's footer (§2.3), in three columns; a new one is a line here. `over`: it opens over the page. */
const columns: { label: string; href: string; over?: true }[][] = [
  [
    { label: "Vendor application", href: paths.join, over: true },
    { label: "Driver application", href: paths.driverApplication },
    { label: "Job listings", href: paths.jobs },
  ],
  [
    { label: "About", href: paths.about },
    { label: "Blog", href: paths.blog },
    { label: "Gift cards", href: paths.giftCard, over: true },
    { label: "Wagon pass", href: paths.wagonPass, over: true },
  ],
  [
    { label: "Help", href: paths.help },
    { label: "FAQ", href: paths.faq },
    { label: "Terms", href: paths.terms, over: true },
    { label: "Privacy", href: paths.privacy, over: true },
  ],
];

export default function Footer() {
  return (
    <footer className={s.footer}>
      <nav className={s.columns} aria-label="About the market">
        {columns.map((links) => (
          <ul key={links[0]?.href}>
            {links.map(({ label, href, over }) => (
              <li key={href}>{over ? <OverlayLink to={href}>{label}</OverlayLink> : <Link to={href}>{label}</Link>}</li>
            ))}
          </ul>
        ))}
      </nav>
      <p>
        © {marketNow().getFullYear()} {config.marketName}
      </p>
      {config.supportEmail && (
        <p>
          <a href={`mailto:${config.supportEmail}`}>{config.supportEmail}</a>
        </p>
      )}
      {config.supportPhone && <p>{config.supportPhone}</p>}
    </footer>
  );
}
