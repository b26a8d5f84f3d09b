import type { TokenUsage } from '../contract/values';
import { tokenUsage } from '../schemas';

/** The tokens that a result, or a detail of a failure, tells of; undefined where it tells of none. */
export function toldUsage(told: unknown): TokenUsage | undefined {
  return tokenUsage.safeParse((told as { tokenUsage?: unknown } | null | undefined)?.tokenUsage).data;
}
