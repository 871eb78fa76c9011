import * as t from "#messages/today";

import { useTitle } from "../../lib/use-title.ts";

export default function TodayPage() {
  useTitle(t.title);
  return <h1>{t.title}</h1>;
}
