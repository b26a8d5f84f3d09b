import { parseFile, parseSpecFile, SpecFileError } from '../../../../src/apps/yaml';

function mistakes(text: string): string[] {
  try {
    parseFile(text, 'plan.yaml');
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return error.message.split('\n').slice(1);
  }
  throw new Error('the file was accepted');
}

const PLAN = `
goal: Publish the report
max_replanning_attempts: 1
enable_llm_reflection: false
criteria: { min_success_rate: 0.5 }
memory: { agent: press }
state: { some_key: 1 }
planner: { uses: plan-it, with: { snake_key: 1 } }
plan:
  tasks:
    - id: write
      description: Write it
      expected_ms: 500
      step: { uses: llm.call, prompt: "{{ state.some_key }}", max_tokens: 5 }
    - id: polish
      description: Polish it
      depends_on: [write]
      step:
        loop:
          generator: { action: mine, with: { snake_key: 1 } }
          quality_criteria: [clear]
          max_iterations: 2
          plateau_iterations: 1
`;

describe('a YAML file with a goal is a plan', () => {
  test('in snake_case, with loops in the words of files; users’ keys stay as they are', () => {
    expect(parseFile(PLAN, 'plan.yaml')).toMatchObject({
      kind: 'plan',
      spec: {
        goal: 'Publish the report',
        maxReplanningAttempts: 1,
        enableLlmReflection: false,
        criteria: { minSuccessRate: 0.5 },
        memory: { agent: 'press' },
        state: { some_key: 1 },
        planner: { action: 'plan-it', with: { snake_key: 1 } },
        plan: {
          id: 'plan-1',
          tasks: [
            { id: 'write', expectedMs: 500, step: { action: 'llm.call', maxTokens: 5 } },
            {
              id: 'polish',
              dependsOn: ['write'],
              step: {
                loop: {
                  generator: { action: 'mine', with: { snake_key: 1 } },
                  evaluator: { type: 'criteria', criteria: ['clear'] },
                  maxIterations: 2,
                  convergence: { plateauIterations: 1 },
                },
              },
            },
          ],
        },
      },
    });
  });

  test('a mistake stands where it is in the file, one in a loop that was rewritten, too', () => {
    expect(mistakes(PLAN.replace('[clear]', '[{ weight: 2 }]'))).toEqual([
      'plan.yaml:21:30  plan.tasks[1].step.loop.quality_criteria[0].name: is required',
    ]);
    expect(mistakes(PLAN.replace('[write]', '[wrote]'))).toEqual([
      'plan.yaml:17:20  plan.tasks[1].depends_on[0]: there is no task "wrote"',
    ]);
    expect(mistakes(PLAN.replace('max_tokens: 5', 'max_tokens: none'))[0]).toMatch(
      /^plan\.yaml:14:\d+ {2}plan\.tasks\[0\]\.step\.max_tokens: /,
    );
    expect(mistakes('goal: x\nplan: { tasks: [] }\ncolour: red')).toEqual([
      'plan.yaml:2:9  plan.tasks: must have at least one task',
      'plan.yaml:3:1  colour: unknown field',
    ]);
  });

  test('a mistake that only a worker finds is located the same way', () => {
    const read = parseFile(PLAN, 'plan.yaml');
    if (read.kind !== 'plan') throw new Error(read.kind);
    expect(read.locate({ path: '/plan/tasks/1/step/loop/evaluator/criteria/0', message: 'm' })).toMatchObject([
      { path: 'plan.tasks[1].step.loop.quality_criteria[0]', line: 21, column: 30 },
    ]);
    expect(() => parseSpecFile(PLAN, 'plan.yaml')).toThrow('holds a plan (`goal:`)');
  });

  test('a YAML file with agents is a population; its configuration is `config` or `global_config`', () => {
    const agents = 'agents: [{ id: ada, type: owner, attributes: { income_class: low } }]\n';
    const reflection = '{ reflection: { batch_size: 3, triggers: { periodic_interval: 2 } } }';
    for (const key of ['config', 'global_config']) {
      expect(parseFile(`${agents}${key}: ${reflection}`, 'a.yaml')).toMatchObject({
        kind: 'agents',
        spec: {
          agents: [{ id: 'ada', type: 'owner', attributes: { income_class: 'low' } }],
          config: { reflection: { batchSize: 3, triggers: { periodicInterval: 2, crisis: true } } },
        },
      });
    }
    expect(mistakes(`${agents}global_config: { reflection: { batch_size: 0 } }`)).toEqual([
      expect.stringMatching(/^plan\.yaml:2:\d+ {2}global_config\.reflection\.batch_size: /),
    ]);
    expect(parseFile(`global_config: ${reflection}`, 'a.yaml').kind).toBe('config');
  });
});
