/** Workflows of somebody's own that reflect inside, beside ours. */
import { reflect, type ReflectionSpec } from '../../src/workflow';

export {
  breaks,
  fillsEvents,
  passes,
  returns,
  schedules,
  startsChildren,
  takesUpdates,
  waits,
} from './probe-workflows';

/** Several loops side by side in one history; tells why each ended. */
export async function reflectsInside(specs: ReflectionSpec[]): Promise<string[]> {
  const results = await Promise.all(specs.map((spec) => reflect(spec)));
  return results.map(({ convergenceReason }) => convergenceReason);
}
