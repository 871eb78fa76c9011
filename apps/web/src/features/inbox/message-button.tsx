import { topModal } from "@marketday/client/overlays/overlay-stack.ts";
import { Button } from "@marketday/ui/button.tsx";
import { useEffect, useId, useRef } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";

interface MessageButtonProps {
  vendor: { slug: string; name: string };
  kind?: "outline" | "quiet";
  wide?: boolean;
}

/** Opens the message to a vendor; a guest gets an account first, and then it opens automatically. */
export function MessageButton({ vendor, kind = "outline", wide = false }: MessageButtonProps) {
  const { isRegistered } = useShopper();
  const { openModal } = useNavigation();
  const id = useId();
  const open = () => openModal({ kind: "message", vendor: vendor.slug, name: vendor.name }, id);
  const under = useNavigation(({ layers }) => topModal(layers) !== null);
  // The address follows a moment after the press: the gate is only left once it has been there.
  const gate = useRef<"none" | "requested" | "open">("none");
  useEffect(() => {
    if (gate.current === "requested" && under) gate.current = "open";
    else if (gate.current === "open" && !under) {
      gate.current = "none";
      if (isRegistered) open();
    }
    // oxlint-disable-next-line react/exhaustive-deps -- when the account's layer opens or closes
  }, [under, isRegistered]);
  return (
    <Button
      id={id}
      kind={kind}
      wide={wide}
      icon="mail"
      onClick={() => {
        if (isRegistered) return open();
        gate.current = "requested";
        openModal({ kind: "need-account", why: "message" }, id);
      }}
    >
      Message {vendor.name}
    </Button>
  );
}
