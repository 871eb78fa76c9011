import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { DataSection } from "./data-section.tsx";
import { DetailsSection } from "./details-section.tsx";
import FulfillmentSection from "./fulfillment-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

import s from "./profile.module.css";

/** /profile and /account: My Details (spec §2.4), for customers; a guest sees the login. */
export default function ProfilePanel() {
  useTitle("My Details");
  const { profile, isRegistered, isPending, isError, refetch } = useShopper();
  const { openModal } = useNavigation();
  if (isRegistered && profile)
    return (
      <DetailsSection key={profile.customerId} profile={profile} title={<DialogTitle>My Details</DialogTitle>}>
        {new URLSearchParams(location.search).get("data") === "expired" && (
          <Banner tone="warning" title="That link has expired">
            A link to your data works once, for a day. You can request a new one below.
          </Banner>
        )}
        <div className={s.section}>
          <FulfillmentSection profile={profile} isOpen />
        </div>
        <PasswordSection />
        <SessionsSection />
        <DataSection />
      </DetailsSection>
    );
  return (
    <DialogBody>
      <div className={s.profile}>
        <DialogTitle>My Details</DialogTitle>
        {isPending ? (
          <Skeleton label="your details">
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="row" />
          </Skeleton>
        ) : isError ? (
          <ErrorState message="Your details could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <EmptyState
            icon="person"
            title="Login to see your details"
            action={
              <Button id="profile-login" onClick={() => openModal({ kind: "login" }, "profile-login")}>
                Login
              </Button>
            }
          >
            Your name, where we deliver, and what you like to eat.
          </EmptyState>
        )}
      </div>
    </DialogBody>
  );
}
