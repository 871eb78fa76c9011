import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import sharp from "sharp";
import { afterAll, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";

const volume = mkdtempSync(join(tmpdir(), "marketday-small-disk-"));
const sh = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: "ignore" });
/** Whether an 8 MB disk could be mounted on this machine. */
const hasVolume = (() => {
  try {
    sh("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", volume);
    return true;
  } catch {
    return false;
  }
})();
afterAll(async () => {
  if (hasVolume) sh("umount", "-l", volume);
  await rm(volume, { recursive: true, force: true });
});

test.runIf(hasVolume)(
  "full disk: pictures are served, cached or not; photo uploads get 503, and succeed once there is space",
  { tags: ["fail:M15", "fail:D7"] },
  async () => {
    const market = await buildTestApp({ env: { DATA_DIR: volume } });
    const { db, app } = market;
    const hub = await createHub(db);
    const product = await createProduct(db, hub.id);
    const anna = await signIn(market, { hubId: hub.id });
    const order = await createOrder(db, { customerId: anna.customer.id, hub, product });
    const id = "00000000000000aa";
    const file = `${id}-tomatoes.png`;
    const tomatoes = { width: 1200, height: 1200, channels: 3, background: "#c4283a" } as const;
    await mkdir(join(volume, "pictures", "uploads"), { recursive: true });
    await writeFile(join(volume, "pictures", "uploads", file), await sharp({ create: tomatoes }).png().toBuffer());
    await db.picture.create({ data: { id, alt: "Tomatoes", thumbhash: "", file } });

    const form = new FormData();
    form.set("message", "Two were broken.");
    const photo = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: "#b5301c" } })
      .jpeg()
      .toBuffer();
    form.append("photos", new Blob([new Uint8Array(photo)], { type: "image/jpeg" }), "photo.jpg");
    const sent = new Response(form);
    const payload = Buffer.from(await sent.clone().arrayBuffer());
    const report = () =>
      app.inject({
        method: "POST",
        url: `/api/problems/orders/${order.id}`,
        headers: {
          "sec-fetch-site": "same-origin",
          cookie: anna.cookieHeader(),
          "content-type": sent.headers.get("content-type")!,
        },
        payload,
      });
    const ballast = join(volume, "ballast");
    const fill = () => {
      for (const bytes of [2 ** 16, 2 ** 12])
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
        }
    };
    const picture = (file: string) => app.inject(`/img/${id}/${file}`);
    const storedPhotos = () => readdir(join(volume, "problems")).catch(() => []);

    const cached = await picture("160.webp");
    fill();
    const [again, fresh] = [await picture("160.webp"), await picture("320.webp")];
    expect([again.statusCode, again.rawPayload.equals(cached.rawPayload)]).toEqual([200, true]);
    expect([fresh.statusCode, (await sharp(fresh.rawPayload).metadata()).width]).toEqual([200, 320]);
    expect(await readdir(join(volume, "pictures", id))).toEqual(["160.webp"]);
    const refused = await report();
    expect([refused.statusCode, refused.json()[0], refused.json()[1].code]).toEqual([
      503,
      "We can't save that right now. Please try again in a few minutes.",
      "disk_full",
    ]);
    expect(refused.headers["retry-after"]).toBe("60");
    expect([await storedPhotos(), await db.problem_report.count()]).toEqual([[], 0]);

    rmSync(ballast);
    expect((await report()).statusCode).toBe(200);
    expect((await storedPhotos()).length).toBe(1);
    expect((await picture("320.webp")).rawPayload.equals(fresh.rawPayload)).toBe(true);
    expect((await readdir(join(volume, "pictures", id))).toSorted()).toEqual(["160.webp", "320.webp"]);
  },
);
