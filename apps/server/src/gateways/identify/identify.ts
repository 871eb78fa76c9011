/** What an e-mail marketing service is told of somebody who logged in or signed up (spec §7.12). */
interface Identified {
  /** Of the row, so that a repeated telling can be recognised. */
  id: number;
  event: "login" | "sign_up";
  /** ISO-8601. */
  at: string;
  /** The visit's random id, as in data-layer events. */
  visit: string | null;
  customer: {
    id: number;
    email: string;
    firstName: string;
    lastName: string;
    zipCode: string | null;
    hubId: number | null;
    subscribedMarketingEmails: boolean;
    subscribedMarketingSms: boolean;
    utmSource: string | null;
    utmCampaign: string | null;
    trk: string | null;
  };
}

/** Whoever is told. Built in: nobody (`deps.identify` is null and nothing is queued). */
export interface Identify {
  /** `refused`: told again it would say the same. Rejects with `ReceiverUnavailable` when it is away and may be tried again. */
  tell(about: Identified): Promise<"taken" | "refused">;
}
