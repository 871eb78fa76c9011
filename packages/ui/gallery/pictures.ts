import type { Plugin } from "vite";

/** A still life in one of eight colors, as the server would send a stored picture. */
const draw = (
  hue: number,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" preserveAspectRatio="xMidYMid slice">
<rect width="48" height="48" fill="hsl(${hue} 35% 82%)"/><rect y="31" width="48" height="17" fill="hsl(${hue} 25% 62%)"/>
<circle cx="18" cy="28" r="9" fill="hsl(${hue} 60% 45%)"/><circle cx="31" cy="30" r="7" fill="hsl(${hue + 30} 60% 50%)"/></svg>`;

/** Answers `/img/{hue}/{width}.{format}`, which the kit's pictures are fetched from. */
export const galleryPictures = (): Plugin => ({
  name: "marketday:gallery-pictures",
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const hue = /^\/img\/(\d+)\//.exec(request.url ?? "")?.[1];
      if (hue === undefined) return next();
      response.setHeader("content-type", "image/svg+xml");
      response.end(draw(Number(hue)));
    });
  },
});
