/** A valley with a river, as plain JSON, so that a durable workflow can store it. */

export type Decision = 'elevate_house' | 'buyout_program' | 'relocate' | 'buy_insurance';

export interface Household {
  id: string;
  type: 'household_owner' | 'household_renter';
  /** 0..1: how much it fears the next flood. */
  worry: number;
  /** 0..1: what it can afford. */
  means: number;
  elevated: boolean;
  insured: boolean;
  /** Why it moved away. */
  gone?: 'buyout_program' | 'relocate';
}

export interface World {
  /** State of the random number generator. */
  random: number;
  households: Household[];
  /** Share of the cost of an elevation that the government pays. Absent: there is no government. */
  subsidy?: number;
  /** A year's premium, as a share of the value of a house. Absent: there is no insurer. */
  premium?: number;
}

export interface Flood {
  /** 0..1. */
  severity: number;
  /** Ids of households whose house was flooded. */
  affected: string[];
  /** Number of affected households without insurance. */
  uninsured: number;
}

export interface PolicyChange {
  agentId: 'government' | 'insurer';
  policy: 'subsidy' | 'premium';
  from: number;
  to: number;
  /** The change, as a share. */
  change: number;
}

/** A random number from 0 to 1 (mulberry32); advances the state of the generator. */
function draw(world: World): number {
  world.random = (world.random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(world.random ^ (world.random >>> 15), 1 | world.random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

const clamp = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value));
const cents = (value: number): number => Math.round(value * 100) / 100;

/** The valley in the year 0. */
export function newWorld(seed: number, households: number, institutions: boolean): World {
  const world: World = { random: seed | 0, households: [] };
  for (let number = 1; number <= households; number += 1) {
    world.households.push({
      id: `household_${number}`,
      type: draw(world) < 0.65 ? 'household_owner' : 'household_renter',
      worry: 0.1 + 0.2 * draw(world),
      means: draw(world),
      elevated: false,
      insured: draw(world) < 0.2,
    });
  }
  return institutions ? { ...world, subsidy: 0.3, premium: 0.04 } : world;
}

/** Households that still live in the valley. */
export function present({ households }: World): Household[] {
  return households.filter(({ gone }) => gone === undefined);
}

/** A year's weather: a flood about every third year. Affected households worry more. */
export function weather(world: World): Flood | undefined {
  const [comes, strength] = [draw(world), draw(world)];
  if (comes >= 0.35) return undefined;
  const severity = cents(0.3 + 0.7 * strength);
  const hit = present(world).filter(({ elevated }) => draw(world) < severity * (elevated ? 0.1 : 0.8));
  for (const household of hit) household.worry = clamp(household.worry + 0.4 * severity, 0, 1);
  return { severity, affected: hit.map(({ id }) => id), uninsured: hit.filter(({ insured }) => !insured).length };
}

/** Households that reflected act sooner. */
export function takeToHeart(world: World, agentIds: readonly string[]): void {
  for (const household of present(world)) {
    if (agentIds.includes(household.id)) household.worry = clamp(household.worry + 0.15, 0, 1);
  }
}

function choice(household: Household, { subsidy, premium }: World, chance: number): Decision | undefined {
  const { type, worry, means, elevated, insured } = household;
  if (chance > worry) return undefined;
  if (worry > 0.85 && !elevated) {
    // Without a buyout programme, an owner has to sell the house.
    if (type === 'household_owner' && subsidy !== undefined && means < 0.5) return 'buyout_program';
    return 'relocate';
  }
  if (type === 'household_owner' && !elevated && means + (subsidy ?? 0) > 0.6) return 'elevate_house';
  return !insured && means > (premium ?? 0.05) * 4 ? 'buy_insurance' : undefined;
}

/** Decisions of households in this year, at most one for each. */
export function decide(world: World): { agentId: string; type: Household['type']; decision: Decision }[] {
  return present(world).flatMap((household) => {
    const decision = choice(household, world, draw(world));
    if (decision === undefined) return [];
    if (decision === 'elevate_house') household.elevated = true;
    else if (decision === 'buy_insurance') household.insured = true;
    else household.gone = decision;
    household.worry = clamp(household.worry - 0.3, 0.05, 1);
    return [{ agentId: household.id, type: household.type, decision }];
  });
}

function changed(
  agentId: PolicyChange['agentId'],
  policy: PolicyChange['policy'],
  from: number,
  to: number,
): PolicyChange {
  return { agentId, policy, from, to, change: cents((to - from) / from) };
}

/** Policy changes after a year: more subsidies and higher premiums after a flood, a little less of both in quiet years. */
export function changePolicies(world: World, flood: Flood | undefined, reflected: readonly string[]): PolicyChange[] {
  const { subsidy, premium } = world;
  if (subsidy === undefined || premium === undefined) return [];
  const thought = reflected.includes('government') ? 0.05 : 0;
  const help = flood ? 0.02 * flood.uninsured + thought : -0.01;
  world.subsidy = cents(clamp(subsidy + help, 0.2, 0.8));
  world.premium = Math.round(clamp(premium * (flood ? 1 + 0.3 * flood.severity : 0.98), 0.02, 0.15) * 10_000) / 10_000;
  return [
    changed('government', 'subsidy', subsidy, world.subsidy),
    changed('insurer', 'premium', premium, world.premium),
  ].filter(({ from, to }) => from !== to);
}
