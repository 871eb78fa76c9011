import type { Db, Prisma } from "@marketday/db";

const shownBanner = {
  id: true,
  type: true,
  title: true,
  body: true,
  action: true,
  starts_at: true,
  ends_at: true,
} satisfies Prisma.bannerSelect;
export type BannerRow = Prisma.bannerGetPayload<{ select: typeof shownBanner }>;

/** The banners of the hub and those of every hub that have not ended, in their order. */
export const findBanners = (db: Db, hubId: number | null, now: Date): Promise<BannerRow[]> =>
  db.banner.findMany({
    where: {
      AND: [
        { OR: [{ hub_id: null }, ...(hubId === null ? [] : [{ hub_id: hubId }])] },
        { OR: [{ ends_at: null }, { ends_at: { gt: now } }] },
      ],
    },
    select: shownBanner,
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
