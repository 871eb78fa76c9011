import s from "./awning.module.css";

/** The market's awning, lower than the shop's: over the rail, or under the header of a small screen, and nowhere else. */
export const Awning = () => <div className={s.awning} aria-hidden="true" />;
