import type { ReflectionSpec } from '../../src';

/** What the writer answers. */
export const DRAFTS = [
  'Version 2.4 is out.\n\nWe improved many things. Exports are faster. Some problems were fixed.',
  'Version 2.4 is out.\n\nExports of large tables are four times faster. A crash of the importer was fixed.',
  'Version 2.4 is out.\n\nExports of tables with more than 10,000 rows are four times faster. The importer no longer crashes on empty files.',
  'Version 2.4 is out.\n\nExports of tables with more than 10,000 rows are four times faster. The importer no longer crashes on empty files.\n\nUpgrade with `app upgrade`; nothing else changes.',
];

const vague = (message: string, severity = 'major') => ({ message, severity, suggestion: 'Name the figures.' });

/** What the judge says of them. @param third of the third draft */
export function verdictsWith(third: { score: number; reason: string; issues: readonly string[] }) {
  return [
    {
      score: 0.35,
      reason: 'Too vague.',
      issues: [vague('“many things” says nothing'), vague('No figure for the speed')],
    },
    { score: 0.6, reason: 'Better.', issues: [vague('“large tables” has no figure', 'minor')] },
    { ...third, issues: third.issues.map((message) => vague(message)) },
    { score: 0.95, reason: 'It says how to upgrade, too.', issues: [] },
  ].map((one) => ({ suggestions: [], confidence: 0.9, valid: one.score > 0.8, ...one }));
}

export const RELEASE_NOTES: ReflectionSpec = {
  name: 'release-notes',
  task: 'Write the release notes of version 2.4 for users, with figures.',
  generator: { action: 'llm.call', prompt: '{{ task }}' },
  corrector: { action: 'llm.call', prompt: 'Revise: {{ reflection_output }}' },
  evaluator: { type: 'llm', prompt: 'Are the notes concrete?' },
  maxIterations: 6,
};
