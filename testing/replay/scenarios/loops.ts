import type { Scenario } from '../scenario';
import { answering, bad, good, PERSON } from './specs';

/** What generators, correctors and deterministic checks make of a loop. */
export const loops: Scenario[] = [
  { name: 'pass-at-once', ends: 'quality_met', spec: answering([good]) },
  { name: 'regenerate', ends: 'quality_met', spec: answering([bad, good]) },
  {
    name: 'corrector-replace',
    ends: 'quality_met',
    spec: answering([{}], { corrector: { action: 'repairs' }, maxIterations: 5, state: { customer: 7 } }),
  },
  {
    name: 'corrector-hint',
    ends: 'quality_met',
    spec: {
      generator: { action: 'heeds' },
      evaluator: { type: 'schema', schema: PERSON },
      corrector: { action: 'advises', mode: 'hint' },
    },
  },
  { name: 'one-iteration', ends: 'max_iterations', spec: answering([bad, good], { maxIterations: 1 }) },
  { name: 'return-best', ends: 'max_iterations', spec: answering([{}, bad, { age: 'old' }]) },
  {
    name: 'return-last',
    ends: 'max_iterations',
    spec: answering([bad, {}, { age: 'old' }], { onFailure: 'return_last' }),
  },
  {
    name: 'raise',
    ends: 'ReflectionFailedError',
    spec: answering([bad, {}], { onFailure: 'raise', maxIterations: 2 }),
  },
  { name: 'draft-fails', ends: 'StepFailed', spec: answering([bad], {}, 1) },
  { name: 'revision-fails', ends: 'error', spec: answering([bad], {}, 2) },
  { name: 'revision-fails-raise', ends: 'ReflectionFailedError', spec: answering([bad], { onFailure: 'raise' }, 2) },
  {
    name: 'best-and-final-only',
    ends: 'max_iterations',
    spec: answering([{}, bad, { age: 'old' }], { preserveAllVersions: false, onFailure: 'return_last' }),
  },
  {
    name: 'json-reading',
    ends: 'quality_met',
    spec: answering(['Here you are:\n```json\n{"name": "Ada", "age": "30"}\n```\nAnything else?']),
  },
  {
    name: 'two-checks',
    ends: 'max_iterations',
    spec: answering([bad, {}], {
      evaluator: [
        { type: 'schema', name: 'shape', schema: PERSON },
        { type: 'schema', name: 'object', schema: { type: 'object' }, weight: 3 },
      ],
      maxIterations: 2,
    }),
  },
  {
    name: 'function-as-gate',
    ends: 'quality_met',
    spec: answering([bad, good], {
      evaluator: [
        { type: 'schema', name: 'object', schema: { type: 'object' } },
        { type: 'function', action: 'grown-up', gate: true },
        { type: 'function', name: 'again', action: 'grown-up' },
      ],
    }),
  },
  { name: 'no-search-attributes', ends: 'quality_met', spec: answering([bad, good]), world: 'without-attributes' },
  { name: 'versioned', ends: 'quality_met', spec: answering([bad, good]), world: 'versioned' },
  {
    name: 'invalid-spec',
    ends: 'InvalidSpec',
    spec: { generator: { action: 'answers' }, evaluator: { type: 'magic' } },
  },
  { name: 'unknown-action', ends: 'UnknownAction', spec: { ...answering([good]), generator: { action: 'nobody' } } },
];
