import { findPlan } from '../../../../src/kinds/plan/state/plan-material';

const tasks = [{ id: 'a', description: 'Do a', step: { action: 'does' } }];

describe('the plan in what a planner gave', () => {
  test.each([
    ['an object', { tasks }],
    ['a list', tasks],
    ['an object as text', JSON.stringify({ tasks })],
    ['a fence', `Here it is:\n\`\`\`json\n${JSON.stringify(tasks)}\n\`\`\`\nGood luck.`],
    [
      'prose that quotes what it goes by',
      `As [1] and {"goal": "g"} say, ["a"] is enough: ${JSON.stringify({ tasks })}`,
    ],
    ['prose that quotes an action', `{"action": "does"} suits.\n${JSON.stringify(tasks)}`],
    ['an object under plan', { plan: { tasks } }],
    ['a list under plan', { plan: tasks }],
    ['an object under plan as text', `Sure: ${JSON.stringify({ plan: { tasks } })}`],
    ['a text with a trailing comma', `{"tasks": [{"id": "a", "description": "Do a", "step": {"action": "does"}},]}`],
    [
      'Python literals in a fence',
      "```\n{'tasks': [{'id': 'a', 'description': 'Do a', 'step': {'action': 'does'}}]}\n```",
    ],
    [
      'a first try, and another one',
      `${JSON.stringify({ tasks: [] })}\nThat is empty. Rather:\n${JSON.stringify({ tasks })}`,
    ],
  ])('is found in %s', (_where, output) => {
    expect(findPlan(output, 'p')).toEqual({ id: 'p', tasks });
  });

  test('may have its names in snake_case, as files may', () => {
    const step = { action: 'llm.call', prompt: 'Do b', max_tokens: 9, top_p: 0.5 };
    const task = { id: 'b', description: 'Do b', step, depends_on: ['a'], expected_ms: 5 };
    const named = { action: 'llm.call', prompt: 'Do b', maxTokens: 9, topP: 0.5 };
    expect(findPlan({ tasks: [task] }, 'p')).toEqual({
      id: 'p',
      tasks: [{ id: 'b', description: 'Do b', step: named, dependsOn: ['a'], expectedMs: 5 }],
    });
    // What an action is given is its own affair.
    const own = { id: 'c', description: 'Do c', step: { action: 'does', with: { depends_on: [1] } } };
    expect(findPlan({ tasks: [own] }, 'p')).toEqual({ id: 'p', tasks: [own] });
    const both = { ...own, depends_on: ['a'], dependsOn: ['b'] };
    expect(findPlan({ tasks: [both] }, 'p')).toEqual({ id: 'p', tasks: [both] });
  });

  test.each([
    ['prose', 'I cannot plan that.', 'I cannot plan that.'],
    ['JSON that is no plan', 'So: {"steps": []}', { id: 'p', steps: [] }],
    ['a text that is a number', '7', 7],
    ['nothing', null, null],
    ['a plan without tasks, and its own id', '{"id": "own", "tasks": []}', { id: 'own', tasks: [] }],
  ])('what is none is told of as it is: %s', (_what, output, expected) => {
    expect(findPlan(output, 'p')).toEqual(expected);
  });
});
