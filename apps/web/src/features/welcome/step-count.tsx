import s from "./welcome.module.css";

/** Where one is in a welcome of two steps. */
export const StepCount = ({ now }: { now: 1 | 2 }) => <p className={s.steps}>Step {now} of 2</p>;
