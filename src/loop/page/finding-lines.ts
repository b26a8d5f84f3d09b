import type { LoopState } from '../state/loop-state';
import { escapeMarkdown } from './markdown';

const FINDINGS = 12;
const LINE_LENGTH = 120;

/** Lists the findings of judges that keep a docket: the open ones, then the latest of the others. */
export function findingParagraphs({ docket }: Pick<LoopState, 'docket'>): (string | string[])[] {
  const findings = docket?.findings ?? [];
  if (findings.length === 0) return [];
  const open = findings.filter(({ state }) => state === 'open').slice(-FINDINGS);
  const left = FINDINGS - open.length;
  const others = left > 0 ? findings.filter(({ state }) => state !== 'open').slice(-left) : [];
  const lines = [...open, ...others].map(
    ({ id, state, message, firstSeen }) =>
      `- ${escapeMarkdown(`${id} ${state}, since version ${firstSeen}: ${message}`, LINE_LENGTH)}`,
  );
  return ['Findings of its judges (`guide` with `{"waive": ["F1"]}` lets one be):', lines];
}
