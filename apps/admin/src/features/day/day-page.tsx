import * as t from "#messages/day";

import { useTitle } from "../../lib/use-title.ts";

export default function DayPage() {
  useTitle(t.title);
  return <h1>{t.title}</h1>;
}
