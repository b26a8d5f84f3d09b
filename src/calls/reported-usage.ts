import { type TokenUsage, tokenUsage } from '../lib/contract/values';

export function reportedUsage(report: unknown): TokenUsage | undefined {
  return tokenUsage.safeParse((report as { tokenUsage?: unknown } | null | undefined)?.tokenUsage).data;
}
