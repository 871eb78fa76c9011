import { useOverlays } from "../../navigation/use-overlays.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { useCart } from "../cart/use-cart.ts";

/** Automatic checkout could not order: why, until when to do what, and the way there. */
export function AutoProblem() {
  const { data: cart } = useCart();
  const { openModal } = useOverlays();
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
