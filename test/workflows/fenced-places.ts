import { ATTACK, SECRET } from '../../testing/support/fences';

const task = (id: string, step: object, more: object = {}) => ({ id, description: `Do ${id}`, step, ...more });
const says = (prompt: string) => ({ action: 'llm.call', prompt });
/** What a planner gives: a task that fails, and one that repeats what another one wrote. */
export const planned = (attempt: number) => ({
  tasks: [
    task(`write${attempt}`, says('WRITE IT')),
    task(`fail${attempt}`, { action: 'breaks', with: {} }, { dependsOn: [`write${attempt}`] }),
  ],
});

export const write = { name: 'write', uses: 'llm.call', with: { prompt: 'WRITE IT' }, output: 'draft' };
export const state = { secret: SECRET, topic: 'birds' };
export const judge = (prompt: string, more: object = {}) => ({ type: 'llm', prompt, ...more });
const nodes = (...after: object[]) => ({ type: 'reflectionPipeline', spec: { state, nodes: [write, ...after] } });
export const node = (uses: string, parameters: object, more: object = {}) => ({
  name: 'next',
  uses,
  with: parameters,
  ...more,
});
const call = (parameters: object) => nodes(node('llm.call', parameters, { output: 'next' }));
const loopNode = (more: object) =>
  nodes(
    node('reflection.loop', {
      generator: { action: 'llm.call', prompt: 'THEN WRITE {{ state.topic }}' },
      evaluator: judge('THEN JUDGE'),
      maxIterations: 2,
      convergence: false,
      ...more,
    }),
  );
const evaluated = (evaluator: object, more: object = {}) =>
  nodes(node('reflection.evaluate', { evaluator, data: 'A text.', ...more }));
const plan = (...tasks: object[]) => ({
  type: 'planReflection',
  spec: { goal: 'Publish', state, plan: { id: 'p', tasks }, maxReplanningAttempts: 0, enableLlmReflection: false },
});
const writes = task('write', says('WRITE IT'));
const after = { dependsOn: ['write'] };

/** Where a text that a model wrote comes into a later prompt: a run, and what the prompts are known by in which it stands. */
export const PLACES: [place: string, run: { type: string; spec: object }, prompts: RegExp[]][] = [
  ['a prompt', call({ prompt: 'THEN: {{ state.draft }}' }), [/THEN/]],
  ['a system message', call({ system: 'THEN: {{ state.draft }}', prompt: 'Go.' }), [/THEN/]],
  ['messages', call({ messages: [{ role: 'user', content: 'THEN: {{ state.draft }}' }] }), [/THEN/]],
  ['a prompt that prints all of the state', call({ prompt: 'THEN: {{ state | tojson }}' }), [/THEN/]],
  ['a prompt by a filter', call({ prompt: 'THEN: {{ state.draft | upper }}' }), [/THEN/]],
  ['a prompt by lines', call({ prompt: 'THEN:{% for l in state.draft.split("\\n") %} {{ l }}{% endfor %}' }), [/THEN/]],
  [
    'messages that are one expression',
    nodes(
      node(
        'gives',
        {
          value: [
            { role: 'system', content: 'THEN {{ state.draft }}' },
            { role: 'user', content: 'THEN' },
          ],
        },
        { name: 'turns', output: 'turns' },
      ),
      node('llm.call', { messages: '{{ state.turns }}' }, { output: 'next' }),
    ),
    [/{"role":"user"}\n·\n{"role":"user"}\n·/],
  ],
  [
    'keys of an object that an action gave',
    nodes(
      node(
        'gives',
        { value: { title: '{{ state.draft }}', parts: [{ '{{ state.topic }}': '{{ state.draft }}' }] } },
        { name: 'a' },
      ),
      node('llm.call', { prompt: 'THEN: {{ state.title }} {{ state.parts }}' }, { output: 'next' }),
    ),
    [/THEN/],
  ],
  [
    'what inline code made of it',
    nodes(
      { name: 'a', run: 'return { shout: state.draft + "!" }', language: 'javascript' },
      node('llm.call', { prompt: 'THEN: {{ state.shout }}' }, { output: 'next' }),
    ),
    [/THEN/],
  ],
  ['a judge’s prompt', evaluated(judge('LOOK: {{ state.draft }}')), [/LOOK/]],
  ['the task of a judge', evaluated(judge('LOOK'), { task: 'It is about {{ state.draft }}' }), [/LOOK/]],
  ['the task in a judge’s prompt', evaluated(judge('LOOK: {{ task }}'), { task: 'About {{ state.draft }}' }), [/LOOK/]],
  ['what is judged', evaluated(judge('LOOK'), { data: '{{ state.draft }}' }), [/LOOK/]],
  [
    'the task of a checklist',
    evaluated({ type: 'criteria', criteria: ['tone'] }, { task: 'On {{ state.draft }}' }),
    [/Answer the questions/],
  ],
  [
    'the task and the reference of a comparison',
    evaluated(
      { type: 'comparison', against: 'reference', reference: '{{ state.draft }}' },
      { task: 'On {{ state.draft }}' },
    ),
    [/Two outputs/],
  ],
  [
    'what a judge said, in a later prompt',
    nodes(
      node('reflection.evaluate', { evaluator: judge('LOOK'), data: 'A text.' }, { name: 'look' }),
      node(
        'llm.call',
        { prompt: 'THEN: {{ state.reason }} {{ state.errors }} {{ state.suggestions }}' },
        { output: 'next' },
      ),
    ),
    [/THEN/],
  ],
  [
    'a correction',
    nodes(
      node('reflection.correct', {
        corrector: { action: 'llm.call' },
        data: '{{ state.draft }}',
        errors: ['{{ state.draft }}'],
      }),
    ),
    [/was not accepted/],
  ],
  [
    'a corrector’s prompt',
    nodes(
      node('reflection.correct', {
        corrector: says('MEND {{ state.draft }} {{ task }}'),
        data: 'A text.',
        errors: ['bad'],
        task: 'On {{ state.draft }}',
      }),
    ),
    [/MEND/],
  ],
  ...(['targeted_edit', 'resample'] as const).map((strategy): (typeof PLACES)[number] => [
    `what a judge said, in a revision by ${strategy}`,
    loopNode({ revision: { strategy } }),
    [/THEN WRITE[^]*not accepted/],
  ]),
  ['a loop’s task', loopNode({ task: 'On {{ state.draft }}' }), [/THEN WRITE/, /THEN JUDGE/, /was not accepted/]],
  [
    'the prompts of a loop’s steps and judges',
    loopNode({
      generator: says('THEN WRITE {{ state.draft }}'),
      corrector: says('MEND {{ state.draft }}'),
      evaluator: [judge('THEN JUDGE {{ state.draft }}'), { type: 'criteria', criteria: ['tone'] }],
      reflectionPrompt: 'ANSWER ON {{ state.draft }}',
    }),
    [/THEN WRITE/, /THEN JUDGE/, /MEND/, /ANSWER ON/],
  ],
  [
    'the state that a loop is given',
    loopNode({
      state: { text: 'See {{ state.draft }}', all: '{{ state }}', mine: 'ours' },
      generator: says('THEN WRITE {{ state.text }} {{ state.all }}'),
      evaluator: judge('THEN JUDGE {{ state.mine }} {{ state.text }}'),
    }),
    [/THEN WRITE/, /THEN JUDGE ours/],
  ],
  [
    'what a loop came to',
    nodes(
      node(
        'reflection.loop',
        { generator: says('ONCE'), evaluator: judge('LOOK'), maxIterations: 1 },
        { name: 'loop', output: 'done' },
      ),
      node(
        'llm.call',
        {
          prompt:
            'THEN: {{ state.done }} {{ state.reflection_output }} {{ state.reflection_errors }} {{ state.reflection_history }}',
        },
        { output: 'next' },
      ),
    ),
    [/THEN/],
  ],
  ['a later task of a plan', plan(writes, task('next', says('THEN {{ state.results.write }}'), after)), [/THEN/]],
  [
    'what a later task is about',
    plan(writes, { ...task('next', says('THEN {{ task }}'), after), description: 'On {{ state.results.write }}' }),
    [/THEN/],
  ],
  [
    'a loop of a plan',
    plan(
      writes,
      task(
        'next',
        {
          loop: {
            task: 'On {{ state.results.write }}',
            generator: says('THEN WRITE {{ task }} {{ state.results }}'),
            evaluator: judge('THEN JUDGE {{ state.results.write }}'),
            maxIterations: 1,
          },
        },
        after,
      ),
    ),
    [/THEN WRITE/, /THEN JUDGE/],
  ],
  [
    'the planner, who is asked again',
    {
      type: 'planReflection',
      spec: { goal: 'Publish', state, plan: { id: 'p', ...planned(0) }, maxReplanningAttempts: 1 },
    },
    [/Plan how to reach/, /look back at a plan/],
  ],
  [
    'a planner’s own prompt',
    {
      type: 'planReflection',
      spec: {
        goal: 'Publish',
        state,
        plan: { id: 'p', ...planned(0) },
        maxReplanningAttempts: 1,
        enableLlmReflection: false,
        planner: says('MINE {{ state.plan }} {{ state.results }} {{ state.insights }} {{ state.evaluation.issues }}'),
      },
    },
    [/MINE/],
  ],
  [
    'the planner, whose answer was no plan',
    {
      type: 'planReflection',
      spec: { goal: 'FIRST NO PLAN', state, maxReplanningAttempts: 0, enableLlmReflection: false },
    },
    [/Its mistakes/],
  ],
  [
    'what a tool answered',
    {
      type: 'reflectionLoop',
      spec: {
        state,
        generator: { ...says('ONCE'), tools: ['reads'] },
        evaluator: { type: 'regex', pattern: 'x' },
        maxIterations: 1,
      },
    },
    [/"role":"tool"/],
  ],
  [
    'what its starter says others wrote',
    {
      type: 'reflectionLoop',
      spec: {
        state: { ...state, mail: ATTACK },
        material: ['mail'],
        generator: says('THEN {{ state.mail }}'),
        evaluator: judge('LOOK {{ state.mail }}'),
        maxIterations: 1,
      },
    },
    [/THEN/, /LOOK/],
  ],
  [
    'the same of one evaluation',
    {
      type: 'reflectionEvaluate',
      spec: { state: { ...state, mail: ATTACK }, material: ['*'], evaluator: judge('LOOK {{ state.mail }}'), data: 1 },
    },
    [/LOOK/],
  ],
];
