/** What the agent may look up. A real one asks the shop's database. */
const ORDERS: Record<string, string> = { '1807': 'sent on 3 May, arrives on 6 May' };

/** The state of an order, in words. */
export async function findOrder({ number }: { number: string }): Promise<string> {
  return ORDERS[number] ?? `There is no order ${number}.`;
}
