import { Button } from "@marketday/ui/button.tsx";

import { useNavigation } from "../../navigation/overlays.ts";

import s from "./profile.module.css";

/** One's data: to have, and to have forgotten (docs/product.md §3). */
export function DataSection() {
  const { openModal } = useNavigation();
  return (
    <section className={s.section} aria-labelledby="data-title">
      <h3 id="data-title">Your data</h3>
      <div className={s.buttons}>
        <Button
          id="profile-export"
          kind="outline"
          onClick={() => openModal({ kind: "my-data", what: "export" }, "profile-export")}
        >
          Download my data
        </Button>
        <Button
          id="profile-delete"
          kind="danger"
          onClick={() => openModal({ kind: "my-data", what: "delete" }, "profile-delete")}
        >
          Delete my account
        </Button>
      </div>
    </section>
  );
}
