import { useState } from "react";

/** Whether `condition` has been true since the component is here: what it shows stays, also while its data is fetched once more. */
export function useLatch(condition: boolean): boolean {
  const [was, setWas] = useState(condition);
  if (condition && !was) setWas(true);
  return was || condition;
}
