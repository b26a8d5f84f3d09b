import type { LedgerEntry, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { type LoopLabel, readLabel } from './loop-label';

type Body = NonNullable<LedgerEntry['body']>;

/** What a request of a torture loop asks for. The same call always makes the same request, but for random fences. */
export interface AskedFor {
  label: LoopLabel;
  role: 'write' | 'compose' | 'judge' | 'repair';
  /** The version that is written or judged. */
  version: number;
}

function highestVersion(text: string): number {
  return Math.max(0, ...[...text.matchAll(/"version":\s*(\d+)/g)].map(([, version]) => Number(version)));
}

/** Reads a request. */
export function askedFor(body: Body): AskedFor {
  const text = body.messages.map(({ content }) => content).join('\n');
  const label = readLabel(text);
  if (!label) throw new Error(`a request of no loop: ${text.slice(0, 500)}`);
  const composed = / compose (\d+)$/.exec(text);
  if (composed) return { label, role: 'compose', version: Number(composed[1]) };
  if (text.startsWith('You put a judgement')) return { label, role: 'repair', version: highestVersion(text) };
  if (text.startsWith('You judge outputs')) return { label, role: 'judge', version: highestVersion(text) };
  return { label, role: 'write', version: highestVersion(text) + 1 };
}

/** The name of a call within a torture run: what must not be asked twice. */
export function callName({ label, role, version }: AskedFor): string {
  return `${label.loop}/${role}/${version}`;
}

/** Between half and one and a half of what is usual for the loop; 0 stays 0. */
function delayOf({ label, version }: AskedFor): number {
  return Math.round(label.slowMs * (0.5 + ((version * 37) % 100) / 100));
}

function judgement({ label, version }: AskedFor): Record<string, unknown> {
  const valid = version >= label.passAt;
  const message = `still short of number ${label.passAt}`;
  const issue = { message, path: null, criterion: null, severity: 'major', suggestion: 'Go on.' };
  return {
    reason: valid ? 'Good.' : 'Not yet.',
    issues: valid ? [] : [issue],
    suggestions: [],
    score: valid ? 1 : version / (version + 10),
    valid,
    confidence: 1,
  };
}

function replyTo(asked: AskedFor): unknown {
  const { label, role, version } = asked;
  if (role === 'judge' && version === label.unreadableAt) {
    const { loop, passAt, unreadableAt, slowMs } = label;
    return `Hard to say. [loop=${loop} pass=${passAt} unreadable=${unreadableAt} slow=${slowMs}] "version":${version}`;
  }
  if (role === 'judge' || role === 'repair') return judgement(asked);
  return { loop: label.loop, version, ...(version >= label.passAt ? { done: true } : {}) };
}

/** The answers of a torture run: a function of the request, so that kills change when loops end, not how. */
export function formula(body: Body, options: { hurried?: boolean } = {}): ScriptEntry {
  const asked = askedFor(body);
  return { reply: replyTo(asked), delayMs: options.hurried ? 0 : delayOf(asked) };
}
