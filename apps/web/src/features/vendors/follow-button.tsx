import type { Vendor } from "@marketday/contracts/vendors";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";

import { useFollow } from "./use-follow.ts";

/** The heart of a vendor: filled when it is followed. */
export function FollowHeart({ vendor }: { vendor: Vendor }) {
  const { id, isFollowed, toggle } = useFollow(vendor);
  return <IconButton id={id} icon="heart" label={`Follow ${vendor.name}`} pressed={isFollowed} onClick={toggle} />;
}

/** The same in words, where it is the one thing to do. */
export function FollowButton({ vendor }: { vendor: Vendor }) {
  const { id, isFollowed, toggle } = useFollow(vendor);
  return (
    <Button id={id} kind="outline" icon="heart" aria-pressed={isFollowed} onClick={toggle}>
      Follow {vendor.name}
    </Button>
  );
}
