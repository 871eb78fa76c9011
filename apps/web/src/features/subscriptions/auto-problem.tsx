import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";

import { useNavigation } from "../../navigation/overlays.ts";
import { useCart } from "../cart/use-cart.ts";

/** Automatic checkout could not order: why, until when to do what, and the way there. */
export function AutoProblem() {
  const { data: cart } = useCart();
  const { openModal } = useNavigation();
  const banner = cart?.banners.find(({ id }) => id === "auto-checkout");
  if (!banner) return null;
  const hasItems = cart?.items.some(({ watching, isPublished }) => !watching && isPublished) ?? false;
  return (
    <Banner
      tone="warning"
      title={banner.title}
      action={
        hasItems && (
          <Button
            id="auto-problem-checkout"
            kind="link"
            onClick={() => openModal({ kind: "checkout" }, "auto-problem-checkout")}
          >
            Check out now
          </Button>
        )
      }
    >
      {banner.body}
    </Banner>
  );
}
