import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from "react";

import { Icon } from "./icon/icon.tsx";

import s from "./menu-rows.module.css";

/** A card of rows to press, each a `MenuRow` or a `MenuLink`. */
export const MenuRows = ({ children }: { children: ReactNode }) => <ul className={s.rows}>{children}</ul>;

interface RowProps {
  /** The drawing at its beginning. */
  mark: ReactNode;
  /** Quieter words at its end: "Carmel market", "3 new". */
  note?: ReactNode;
  /** It leads somewhere: an arrow at its end. */
  leads?: boolean;
  children: ReactNode;
}

/** A row that does something. */
export const MenuRow = ({
  mark,
  note,
  leads = false,
  children,
  ...rest
}: RowProps & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className">) => (
  <li>
    <button type="button" {...rest} className={s.row}>
      <Row mark={mark} note={note} leads={leads}>
        {children}
      </Row>
    </button>
  </li>
);

/** A row that is a link to another site. */
export const MenuLink = ({
  mark,
  note,
  leads = false,
  children,
  ...rest
}: RowProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "className">) => (
  <li>
    <a {...rest} className={s.row}>
      <Row mark={mark} note={note} leads={leads}>
        {children}
      </Row>
    </a>
  </li>
);

const Row = ({ mark, note, leads, children }: RowProps) => (
  <>
    {mark}
    <span className={s.words}>{children}</span>
    {note && <small>{note}</small>}
    {leads && (
      <span className={s.leads}>
        <Icon name="next" size="sm" />
      </span>
    )}
  </>
);
