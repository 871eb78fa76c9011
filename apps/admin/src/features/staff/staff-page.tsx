import * as t from "#messages/staff";

import { useTitle } from "../../lib/use-title.ts";

export default function StaffPage() {
  useTitle(t.title);
  return <h1>{t.title}</h1>;
}
