/** The addresses of the admin app. A market is a filter in the address: `?hub=carmel`. */
export const paths = {
  today: "/admin",
  /** What a delivery day needs: its sheets and vendors. */
  day: (hub: string, date: string) => `/admin/days/${hub}/${date}`,
  staff: "/admin/staff",
  /** One's own passkeys and sessions. */
  security: "/admin/security",
  invite: (token: string) => `/admin/invite/${token}`,
};
