import { useTitle } from "../../lib/use-title.ts";
import MoreMenu from "./more-menu.tsx";

import s from "./more-page.module.css";

export default function MorePage() {
  useTitle("More");
  return (
    <div className={s.page}>
      <h1>More</h1>
      <MoreMenu />
    </div>
  );
}
