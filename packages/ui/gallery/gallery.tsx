import { type ReactNode, useEffect, useState } from "react";

import { Awning } from "../src/awning.tsx";
import { LiveRegion } from "../src/live-region.tsx";
import { RadioChips } from "../src/radio-chips.tsx";
import { Toaster } from "../src/toaster.tsx";
import { sections } from "./sections.tsx";

import s from "./gallery.module.css";

const themes = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Every component of the kit in every state. */
export function Gallery(): ReactNode {
  const [theme, setTheme] = useState("system");
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset["theme"];
    else dataset["theme"] = theme;
  }, [theme]);
  return (
    <>
      <header className={s.header}>
        <h1>The kit</h1>
        <RadioChips legend="Theme" legendHidden chips={themes} value={theme} onChange={setTheme} />
      </header>
      <Awning />
      <main className={s.main}>
        {sections.map(({ title, cases }) => (
          <section key={title} className={s.section}>
            <h2>{title}</h2>
            <div className={s.cases}>
              {cases.map(({ state, wide, shown }) => (
                <figure key={state} className={wide ? s.wide : s.case}>
                  <figcaption className={s.state}>{state}</figcaption>
                  {shown}
                </figure>
              ))}
            </div>
          </section>
        ))}
      </main>
      <Toaster />
      <LiveRegion />
    </>
  );
}
