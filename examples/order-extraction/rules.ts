/**
 * Rules for orders that no schema can express, as an action that a worker registers: sums add up, articles exist, and
 * delivery dates are not in the past. It is code, so it is free and cannot be persuaded by a prompt.
 */
import { z } from 'zod';
import { defineAction } from 'durable-reflection/worker';

const line = z.object({ sku: z.string(), quantity: z.int(), unitPriceCents: z.int(), totalCents: z.int() });
export const order = z.object({
  customer: z.object({ name: z.string(), email: z.string() }),
  deliveryDate: z.iso.date(),
  lines: z.array(line),
  totalCents: z.int(),
});
export type Order = z.output<typeof order>;

/** Articles that can be ordered. A real shop would query its database. */
export const STOCK: ReadonlySet<string> = new Set(['LAMP-BR-S', 'LAMP-BR-L', 'LAMP-FL-2', 'BULB-E27-W', 'BULB-E27-C']);

export interface BrokenRule {
  message: string;
  /** Location in the order, as a JSON Pointer. */
  path: string;
}

/** Every rule that an order breaks. @param today ISO date; such dates can be compared as texts */
export function brokenRules(
  { lines, deliveryDate, totalCents }: Order,
  stock: ReadonlySet<string>,
  today: string,
): BrokenRule[] {
  const broken: BrokenRule[] = [];
  for (const [index, { sku, quantity, unitPriceCents, totalCents: stated }] of lines.entries()) {
    if (!stock.has(sku)) broken.push({ message: `there is no article "${sku}"`, path: `/lines/${index}/sku` });
    const due = quantity * unitPriceCents;
    if (stated !== due) {
      const sum = `${quantity} × ${unitPriceCents} is ${due}, not ${stated}`;
      broken.push({ message: sum, path: `/lines/${index}/totalCents` });
    }
  }
  const sum = lines.reduce((total, each) => total + each.totalCents, 0);
  if (totalCents !== sum) {
    broken.push({ message: `the lines come to ${sum}, not ${totalCents}`, path: '/totalCents' });
  }
  if (deliveryDate < today) {
    broken.push({ message: `${deliveryDate} is before today, ${today}`, path: '/deliveryDate' });
  }
  return broken;
}

export const checkOrder = defineAction({
  name: 'orders.check',
  description: 'Says which rules of the business an order breaks.',
  input: z.object({ order, today: z.iso.date() }),
  // It reads only its parameters.
  needs: [],
  run: (given) => {
    const broken = brokenRules(given.order, STOCK, given.today);
    // The score ranks failed versions: one broken rule is better than three.
    return {
      valid: broken.length === 0,
      checksPassed: 1 / (1 + broken.length),
      issues: broken.map((rule) => ({ ...rule })),
    };
  },
});
