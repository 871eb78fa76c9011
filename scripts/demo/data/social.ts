import { addMs, Day, Hour } from "@marketday/domain/time";

import type { OrderBook } from "./order-book.ts";
import { newId, plainId, regularId } from "./people.ts";
import type { ProductPlan } from "./products.ts";
import { chance } from "./random.ts";
import type { CustomerRow, LooseRow, VariantRow } from "./rows.ts";
import { newVendors, vendorPlans } from "./vendors.ts";
import { conversations, endorsementWords, openQuestions, questionWords, reviewWords, topicOf } from "./words.ts";

/** Reviews, questions, follows and messages of customers. */
export interface Social {
  reviews: LooseRow[];
  questions: LooseRow[];
  endorsements: LooseRow[];
  follows: LooseRow[];
  favorites: LooseRow[];
  threads: LooseRow[];
  messages: LooseRow[];
}

const topic = (plan: ProductPlan): string => topicOf(plan.vendor.sells[0]?.kind ?? "vegetables", plan.line.collection);

/** Reviews by customers who bought the product, one per customer and product. */
function reviews(book: OrderBook, productOf: ReadonlyMap<number, ProductPlan>, anchor: Date): LooseRow[] {
  const rows: LooseRow[] = [];
  const written = new Set<string>();
  const usedComments = new Map<number, Set<string>>();
  const closed = new Map(book.orders.filter((order) => order.status === "closed").map((order) => [order.id, order]));
  for (const item of book.items) {
    const order = closed.get(item.order_id);
    const plan = productOf.get(item.variant_id);
    if (!order || !plan) continue;
    const luck = chance(`review ${item.order_id} ${item.variant_id}`);
    if (!luck.odds(0.13) || written.has(`${order.customer_id} ${plan.id}`)) continue;
    const used = usedComments.get(plan.id) ?? new Set<string>();
    const unused = (reviewWords.get(topic(plan)) ?? []).filter(({ comment }) => !used.has(comment));
    if (unused.length === 0) continue;
    // Some products get more bad reviews than others.
    const level = chance(`level ${plan.id}`).next();
    const { stars, comment } = luck.weighted(
      unused.map((words) => [words, words.stars >= 4.5 ? 6 : words.stars >= 4 ? 4 : level < 0.2 ? 3 : 0.6] as const),
    );
    used.add(comment);
    usedComments.set(plan.id, used);
    written.add(`${order.customer_id} ${plan.id}`);
    const at = Math.min(
      new Date(order.closed_at ?? order.created_at).getTime() + luck.int(4, 120) * Hour.ms,
      anchor.getTime() - Hour.ms,
    );
    rows.push({
      customer_id: order.customer_id,
      product_id: plan.id,
      rating_halves: Math.round(stars * 2),
      comment,
      created_at: new Date(at).toISOString(),
    });
  }
  return rows;
}

function questions(plans: readonly ProductPlan[], customers: readonly CustomerRow[], anchor: Date): LooseRow[] {
  const rows: LooseRow[] = [];
  for (const plan of plans) {
    const luck = chance(`question ${plan.id}`);
    if (!luck.odds(0.16)) continue;
    const near = customers.filter((customer) => plan.vendor.hubIds.includes(customer.hub_id) && customer.id > newId);
    for (const words of luck.sample(questionWords.get(topic(plan)) ?? [], luck.odds(0.3) ? 2 : 1)) {
      const createdAt = addMs(anchor, -luck.int(2 * 24, 80 * 24) * Hour.ms);
      rows.push({
        customer_id: luck.pick(near).id,
        product_id: plan.id,
        question: words.question,
        answer: words.answer,
        answered_at: addMs(createdAt, luck.int(2, 40) * Hour.ms).toISOString(),
        created_at: createdAt.toISOString(),
      });
    }
    if (!luck.odds(0.18)) continue;
    rows.push({
      customer_id: luck.odds(0.1) && plan.vendor.hubIds.includes(1) ? regularId : luck.pick(near).id,
      product_id: plan.id,
      question: luck.pick(openQuestions),
      answer: null,
      answered_at: null,
      created_at: addMs(anchor, -luck.int(3, 60) * Hour.ms).toISOString(),
    });
  }
  return rows;
}

/** Everything that customers write, like and follow, up to `anchor`. */
export function buildSocial(
  plans: readonly ProductPlan[],
  variants: readonly VariantRow[],
  customers: readonly CustomerRow[],
  book: OrderBook,
  anchor: Date,
): Social {
  const planOf = new Map(plans.map((plan) => [plan.id, plan]));
  const productOf = new Map<number, ProductPlan>();
  for (const variant of variants) {
    const plan = planOf.get(variant.product_id);
    if (plan) productOf.set(variant.id, plan);
  }
  const social: Social = {
    reviews: reviews(book, productOf, anchor),
    questions: questions(plans, customers, anchor),
    endorsements: [],
    follows: [],
    favorites: [],
    threads: [],
    messages: [],
  };
  const ago = (days: number): string => addMs(anchor, -days * Day.ms).toISOString();

  for (const vendor of vendorPlans) {
    const luck = chance(`liked ${vendor.id}`);
    const age = newVendors.has(vendor.id) ? 3 : 300;
    const near = customers.filter((customer) => vendor.hubIds.includes(customer.hub_id) && customer.id > newId);
    for (const customer of luck.sample(near, luck.int(6, Math.min(60, near.length)))) {
      social.follows.push({ customer_id: customer.id, vendor_id: vendor.id, created_at: ago(luck.int(1, age)) });
    }
    for (const customer of luck.sample(near, newVendors.has(vendor.id) ? 1 : luck.int(2, 8))) {
      const words = luck.pick(endorsementWords);
      const visited = luck.odds(0.35);
      social.endorsements.push({
        customer_id: customer.id,
        vendor_id: vendor.id,
        score: words.score,
        relationship: luck.weighted([
          [1, 12],
          [2, 1],
          [3, 3],
          [4, 1],
        ]),
        comment: luck.odds(0.8) ? words.comment : null,
        has_visited: visited,
        visit_rating: visited ? luck.int(4, 5) : null,
        would_visit_again: visited ? true : null,
        created_at: ago(luck.int(1, age)),
      });
    }
  }

  // Favorites are products that the customer bought.
  const liked = new Set<string>();
  const customerOf = new Map(book.orders.map((order) => [order.id, order.customer_id]));
  for (const item of book.items) {
    const customerId = customerOf.get(item.order_id);
    const plan = productOf.get(item.variant_id);
    if (!plan || customerId === undefined) continue;
    const odds = customerId === regularId ? 0.22 : 0.07;
    const key = `${customerId} ${plan.id}`;
    if (liked.has(key) || !chance(`like ${key}`).odds(odds)) continue;
    liked.add(key);
    social.favorites.push({ customer_id: customerId, product_id: plan.id, created_at: ago(liked.size % 60) });
  }
  for (const vendor of vendorPlans.filter(({ hubIds }) => hubIds.includes(1)).slice(0, 5)) {
    social.follows.push({ customer_id: regularId, vendor_id: vendor.id, created_at: ago(40 + vendor.id) });
  }

  // The inbox of the regular shopper has more than one page; the plain one has one reply.
  const nearby = vendorPlans.filter((vendor) => vendor.hubIds.includes(1));
  conversations.forEach((lines, place) => {
    const vendor = nearby[(place * 3) % nearby.length];
    for (const customerId of place === 0 ? [regularId, plainId] : [regularId]) {
      if (!vendor) continue;
      const id = social.threads.length + 1;
      const start = addMs(anchor, -(4 + place * 6) * Day.ms);
      lines.forEach((message, turn) => {
        social.messages.push({
          thread_id: id,
          sender: turn % 2 === 0 ? "C" : "U",
          message,
          created_at: addMs(start, turn * 5 * Hour.ms).toISOString(),
        });
      });
      const updated = addMs(start, (lines.length - 1) * 5 * Hour.ms);
      const unread = place < 2 && lines.length % 2 === 0;
      social.threads.push({
        id,
        customer_id: customerId,
        vendor_id: vendor.id,
        read_at: unread ? null : addMs(updated, Hour.ms).toISOString(),
        updated_at: updated.toISOString(),
      });
    }
  });
  return social;
}
