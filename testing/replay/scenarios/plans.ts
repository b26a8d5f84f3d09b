import type { Scenario } from '../scenario';
import { answering, bad, good } from './specs';

const task = (id: string, list: unknown[], more: object = {}) => ({
  id,
  description: `Do ${id}`,
  step: { action: 'answers', with: { list } },
  ...more,
});
const failing = (id: string, more: object = {}, attempt = 1) => ({
  id,
  description: `Do ${id}`,
  step: { action: 'answers', with: { list: ['x'], failAt: attempt } },
  ...more,
});
/** What cannot be found calls for another plan. */
const lost = (id: string) => ({ id, description: `Do ${id}`, step: { run: 'raise ValueError("not found: the pen")' } });
/** Another plan would meet the same. */
const locked = (id: string) => ({ id, description: `Do ${id}`, step: { run: 'raise ValueError("access denied")' } });
const planOf = (...tasks: object[]) => ({ id: 'first', tasks });
const byRules = { type: 'planReflection', world: 'remembering' } as const;
/** Tasks that run one after the other. */
const line = (length: number) =>
  Array.from({ length }, (_, index) =>
    task(`step${index}`, [index], index === 0 ? {} : { dependsOn: [`step${index - 1}`] }),
  );
const goal = { goal: 'Write a book', enableLlmReflection: false };

/** Plans: carried out, judged, made anew. */
export const plans: Scenario[] = [
  {
    ...byRules,
    name: 'plan-parallel',
    ends: 'completed',
    spec: {
      ...goal,
      plan: planOf(
        task('outline', ['an outline']),
        task('left', ['left'], { dependsOn: ['outline'] }),
        { id: 'right', description: 'Do right', dependsOn: ['outline'], step: { loop: answering([bad, good]) } },
        task('bind', ['bound'], { dependsOn: ['left', 'right'] }),
      ),
    },
  },
  {
    ...byRules,
    name: 'plan-anew',
    ends: 'completed',
    spec: {
      ...goal,
      memory: { agent: 'author' },
      planner: {
        action: 'answers',
        with: { list: [null, { tasks: [task('outline', ['again']), task('found', ['found'])] }] },
      },
      plan: planOf(task('outline', ['an outline']), lost('lost')),
    },
  },
  {
    ...byRules,
    name: 'plan-by-model',
    ends: 'completed',
    script: [
      { match: 'reach the goal', reply: { tasks: [] } },
      { match: 'Its mistakes:', reply: { tasks: [task('outline', ['an outline'])] } },
      { match: 'look back at a plan', reply: '- Write faster' },
    ],
    spec: { goal: 'Write a book', model: 'plan-by-model', memory: { agent: 'author' } },
  },
  {
    // The loop of the second plan is another run than that of the first.
    ...byRules,
    name: 'plan-loop-again',
    ends: 'completed',
    spec: {
      ...goal,
      planner: {
        action: 'answers',
        with: {
          list: [null, { tasks: [{ id: 'draft', description: 'Draft it', step: { loop: answering([good]) } }] }],
        },
      },
      plan: planOf(
        { id: 'draft', description: 'Draft it', step: { loop: answering([bad], { maxIterations: 1 }) } },
        lost('lost'),
      ),
    },
  },
  {
    // What was not found in the first plan is not tried in the second, whose own failure calls for no third.
    ...byRules,
    name: 'plan-not-tried-again',
    ends: 'completed',
    spec: {
      ...goal,
      planner: {
        action: 'answers',
        with: { list: [null, { tasks: [locked('pay'), { ...lost('lost'), dependsOn: ['pay'] }] }] },
      },
      plan: planOf(lost('lost')),
    },
  },
  {
    ...byRules,
    world: 'impatient',
    name: 'plan-chain',
    ends: 'completed',
    spec: {
      ...goal,
      planner: { action: 'answers', with: { list: [null, { tasks: [task('found', ['found'])] }] } },
      plan: planOf(...line(8), lost('lost'), task('never', ['never'], { dependsOn: ['lost'] })),
    },
  },
  {
    ...byRules,
    name: 'plan-unjudged',
    ends: 'completed',
    spec: {
      ...goal,
      enableReflection: false,
      plan: planOf(failing('broken'), task('next', ['done'], { dependsOn: ['broken'] }), task('other', ['done'])),
    },
  },
  {
    ...byRules,
    name: 'plan-invalid',
    ends: 'InvalidSpec',
    spec: { goal: '' },
  },
];
