import type { TokenUsage } from '../../lib/contract/values';
import { tokenUsage } from '../../lib/contract/values';

export function reportedUsage(report: unknown): TokenUsage | undefined {
  return tokenUsage.safeParse((report as { tokenUsage?: unknown } | null | undefined)?.tokenUsage).data;
}
