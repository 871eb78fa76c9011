import s from "./awning.module.css";

/** The market's awning: kale and surface, scalloped. Once, under the header. */
export const Awning = () => <div className={s.awning} aria-hidden="true" />;

/** A stall's own stripe, in its colour: needs a `data-stall` on it or around it. */
export const StallStripe = () => <div className={s.stripe} aria-hidden="true" />;
