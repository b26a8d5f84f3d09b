import type { Fleet } from './shared-workers';
import type { LimitsWorld } from './world';

export async function assertLimitsInForce(_world: LimitsWorld, _fleet: Fleet): Promise<void> {}
