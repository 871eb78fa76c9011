import type { Boot } from "@marketday/contracts/boot";
import type { FastifyRequest } from "fastify";

import { AppError } from "../../lib/app-error.ts";
import { notFoundHead } from "./heads.ts";
import type { PageHead } from "./shell.ts";
import type { WordPage } from "./word-pages.ts";

export interface PageAnswer {
  head: PageHead;
  boot: Boot;
}
/** What an address shows: a head alone, or with more in the boot data. */
export type Page = (request: FastifyRequest, boot: Boot, base: string) => PageHead | Promise<PageAnswer> | PageAnswer;

/** A page about one thing: what is not found has the 404 page. */
export const about =
  (show: (request: FastifyRequest, boot: Boot, base: string) => Promise<PageHead>): Page =>
  async (request, boot, base) => {
    try {
      return { head: await show(request, boot, base), boot };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return { head: notFoundHead(boot), boot };
      throw error;
    }
  };

/** A page of words; what is not found has the 404 page. */
export const made =
  (show: (request: FastifyRequest, boot: Boot, base: string) => Promise<WordPage>): Page =>
  async (request, boot, base) => {
    try {
      const { head, words } = await show(request, boot, base);
      return { head, boot: { ...boot, words } };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return { head: notFoundHead(boot), boot };
      throw error;
    }
  };

/** `?page=` of an address; anything but a whole number from 1 is the first. */
export function pageAsked(request: FastifyRequest): number {
  const asked = Number((request.query as { page?: string }).page ?? 1);
  return Number.isSafeInteger(asked) && asked >= 1 && asked <= 1_000_000 ? asked : 1;
}

/** `feed`: the shop lies behind. */
export type PagesByUrl = Record<string, { feed: boolean; page: Page }>;

export const isAnswer = (value: PageHead | PageAnswer): value is PageAnswer => "boot" in value;
