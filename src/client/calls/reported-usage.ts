import type { TokenUsage } from '../../lib/contract/values';
import { tokenUsage } from '../../lib/contract/values';

/** Returns the tokens that a result, or a detail of a failure, reports; undefined if it reports none. */
export function reportedUsage(report: unknown): TokenUsage | undefined {
  return tokenUsage.safeParse((report as { tokenUsage?: unknown } | null | undefined)?.tokenUsage).data;
}
