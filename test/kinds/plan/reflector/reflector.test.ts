import type { Episode, TaskResult } from '../../../../src';
import { criteriaFromConfig, type LlmClient, Reflector } from '../../../../src/compat';
import { listEpisodeInsights } from '../../../../src/kinds/plan/reflector/episode-insights';
import { callsForReplan, errorCategory } from '../../../../src/kinds/plan/reflector/error-category';
import { readSuggestions } from '../../../../src/kinds/plan/reflector/model-suggestions';

const reflector = new Reflector();
const task = { id: 'fetch', description: 'Fetch the page', expectedMs: 100 };
const ok = (taskId: string, more: Partial<TaskResult> = {}): TaskResult => ({
  taskId,
  success: true,
  output: 'done',
  ms: 10,
  ...more,
});
const failed = (taskId: string, error: string): TaskResult => ({ taskId, success: false, error, ms: 10 });
const planOf = (...ids: string[]) => ({ id: 'plan', tasks: ids.map((id) => ({ id, description: `do ${id}` })) });

/** A model that says what it is told to, and keeps what it was asked. */
function scripted(...replies: (string | Error)[]): LlmClient & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async complete(prompt) {
      asked.push(prompt);
      const reply = replies.shift();
      if (reply === undefined) throw new RangeError('the script has run out');
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
}

describe('evaluateTask', () => {
  test('a success is one, surely, with nothing to say', () => {
    expect(reflector.evaluateTask(task, ok('fetch'))).toEqual({
      taskId: 'fetch',
      success: true,
      confidence: 1,
      issues: [],
      suggestions: [],
      shouldReplan: false,
    });
  });

  test('a failure has its error as an issue, and a suggestion', () => {
    const evaluation = reflector.evaluateTask(task, failed('fetch', 'Timeout after 30 s'));
    expect(evaluation).toMatchObject({ taskId: 'fetch', success: false, shouldReplan: true });
    expect(evaluation.issues).toEqual(['timeout: Timeout after 30 s']);
    expect(evaluation.suggestions).toHaveLength(1);
    expect(evaluation.confidence).toBeGreaterThan(0.5);
    expect(evaluation.confidence).toBeLessThanOrEqual(1);
  });

  test.each([
    ['timeout', 'Read TIMEOUT', true, /more time.*smaller/],
    ['permission', 'Permission denied', false, /permissions/],
    ['permission', 'Access Denied for user', false, /permissions/],
    ['not_found', 'the key was Not Found', true, /path exists/],
    ['not_found', 'ENOENT: no such file or directory', true, /path exists/],
    ['network', 'Connection refused', true, /network/],
    ['network', 'Network is unreachable', true, /network/],
    ['validation', 'Validation of x', false, /values/],
    ['validation', 'invalid argument', false, /values/],
    ['resource', 'out of Memory', true, /smaller|free/],
    ['resource', 'Disk full', true, /smaller|free/],
    ['resource', 'resource busy', true, /smaller|free/],
    ['timeout', 'connection timed out', true, /more time/],
    ['network', 'connect ECONNREFUSED 192.0.2.1:443', true, /network/],
    ['network', 'getaddrinfo ENOTFOUND mirror.example', true, /network/],
    ['network', 'TypeError: fetch failed', true, /network/],
    ['not_found', 'Request failed with status code 404', true, /path exists/],
    ['resource', 'HTTP 429', true, /smaller|free/],
    ['resource', 'Too many requests', true, /smaller|free/],
    ['validation', 'line 404: invalid syntax', false, /values/],
    ['execution', 'order 14042 was lost', false, /implemented/],
    ['validation', 'InvalidSpec: the file was not found', false, /values/],
    ['validation', 'Model.NotFound: 404 no such model', false, /values/],
    ['permission', 'Model.QuotaExhausted: 429 insufficient quota', false, /permissions/],
    ['execution', 'its loop ended as aborted: timeout', false, /implemented/],
    ['execution', 'division by zero', false, /implemented/],
  ])('%s: "%s" calls for another plan: %s', (category, error, replan, suggestion) => {
    const evaluation = reflector.evaluateTask(task, failed('fetch', error));
    expect(errorCategory(error)).toBe(category);
    expect(evaluation.issues[0]).toBe(`${category}: ${error}`);
    expect(evaluation.suggestions[0]).toMatch(suggestion);
    expect(evaluation.shouldReplan).toBe(replan);
  });

  test.each([
    ['division by zero', 'perhaps'],
    ['', 'perhaps'],
    ['its loop ended as max_iterations: too long', 'perhaps'],
    ['Model.Refused: no', 'perhaps'],
    ['the request was aborted', 'perhaps'],
    ['disk full', 'yes'],
    ['Permission denied', 'no'],
    ['UnknownAction: "fetch"', 'no'],
    ['AttachmentMissing: report.pdf is not found', 'no'],
    ['its loop ended as aborted', 'no'],
    ['its loop ended as stopped', 'no'],
    ['its loop was cancelled', 'no'],
    ['its loop was terminated', 'no'],
  ])('whether another plan could get around "%s": %s', (error, answer) => {
    expect(callsForReplan(error)).toBe(answer);
  });

  test('of several that fit, the first of the table counts', () => {
    expect(errorCategory('connection timeout: invalid reply')).toBe('timeout');
    expect(errorCategory('permission file not found')).toBe('permission');
    expect(errorCategory('file not found on network disk')).toBe('not_found');
    expect(errorCategory('invalid connection')).toBe('network');
    expect(errorCategory('invalid resource')).toBe('validation');
  });

  test('a failure without a word is an execution error, and not a sure one', () => {
    const evaluation = reflector.evaluateTask(task, { taskId: 'fetch', success: false, ms: 1 });
    expect(evaluation.issues).toEqual(['execution: it failed without saying why']);
    expect(evaluation.confidence).toBeLessThan(reflector.evaluateTask(task, failed('fetch', 'timeout')).confidence);
  });

  test('exactly the time that a task may take is not slow, whatever the multiplier', () => {
    const patient = new Reflector({ criteria: { maxExecutionTimeMultiplier: 1.15 } });
    const issues = [115, 116].map((ms) => patient.evaluateTask(task, ok('fetch', { ms })).issues);
    expect(issues).toEqual([[], [expect.stringMatching(/^slow: .*116 ms/)]]);
  });

  test('more than twice the expected time is slow, exactly twice is not', () => {
    expect(reflector.evaluateTask(task, ok('fetch', { ms: 200 })).issues).toEqual([]);
    const slow = reflector.evaluateTask(task, ok('fetch', { ms: 201 }));
    expect(slow).toMatchObject({
      success: true,
      shouldReplan: false,
      issues: [expect.stringMatching(/^slow: .*201 ms/)],
    });
    expect(reflector.evaluateTask({ id: 'fetch' }, ok('fetch', { ms: 1e9 })).issues).toEqual([]);
    const patient = new Reflector({ criteria: { maxExecutionTimeMultiplier: 3 } });
    expect(patient.evaluateTask(task, ok('fetch', { ms: 300 })).issues).toEqual([]);
    expect(reflector.evaluateTask(task, { ...failed('fetch', 'timeout'), ms: 500 }).issues).toHaveLength(2);
  });

  test.each([null, undefined, '', ' \n', [], {}])('%j is an empty output', (output) => {
    const result = { taskId: 'fetch', success: true, ms: 1, ...(output === undefined ? {} : { output }) };
    expect(reflector.evaluateTask(task, result).issues).toEqual(['the output is empty']);
    const lenient = new Reflector({ criteria: { checkOutputQuality: false } });
    expect(lenient.evaluateTask(task, result).issues).toEqual([]);
  });

  test.each([0, false, 'x', [0], { a: null }])('%j is an output', (output) => {
    expect(reflector.evaluateTask(task, ok('fetch', { output })).issues).toEqual([]);
  });
});

describe('evaluatePlan', () => {
  test('four of five are enough, three are not', async () => {
    const plan = planOf('a', 'b', 'c', 'd', 'e');
    const four = [ok('a'), ok('b'), ok('c'), ok('d'), failed('e', 'timeout')];
    expect(await reflector.evaluatePlan(plan, four)).toMatchObject({
      planId: 'plan',
      success: true,
      shouldReplan: false,
    });
    const three = [...four.slice(0, 3), failed('d', 'timeout'), failed('e', 'timeout')];
    const evaluation = await reflector.evaluatePlan(plan, three);
    expect(evaluation).toMatchObject({ success: false, shouldReplan: true });
    expect(evaluation.issues[0]).toBe('success rate 60% is below 80%');
    expect(new Reflector({ criteria: { minSuccessRate: 0.6 } }).criteria.minSuccessRate).toBe(0.6);
    const content = await new Reflector({ criteria: { minSuccessRate: 0.6 } }).evaluatePlan(plan, three);
    expect(content.success).toBe(true);
  });

  test('a task without a result was not completed', async () => {
    const plan = planOf('a', 'b', 'c', 'd', 'e', 'f');
    const results = ['a', 'b', 'c', 'd', 'e'].map((id) => ok(id));
    const strict = await reflector.evaluatePlan(plan, results);
    expect(strict).toMatchObject({ success: false, issues: ['task "f" was not completed'] });
    const lenient = new Reflector({ criteria: { requireAllTasksComplete: false } });
    expect(await lenient.evaluatePlan(plan, results)).toMatchObject({ success: true, issues: [] });
  });

  test('failures that planning cannot mend do not call for another plan', async () => {
    const denied = await reflector.evaluatePlan(planOf('a'), [failed('a', 'access denied')]);
    expect(denied).toMatchObject({ success: false, shouldReplan: false });
    const mixed = await reflector.evaluatePlan(planOf('a', 'b'), [
      failed('a', 'access denied'),
      failed('b', 'timeout'),
    ]);
    expect(mixed.shouldReplan).toBe(true);
  });

  test('what is not known of calls for another plan once too few tasks succeeded', async () => {
    const plan = planOf('a', 'b', 'c', 'd', 'e', 'f');
    const one = [ok('a'), ok('b'), ok('c'), ok('d'), failed('e', 'division by zero')];
    const content = new Reflector({ criteria: { minSuccessRate: 0.6 } });
    expect(await content.evaluatePlan(plan, one)).toMatchObject({ success: false, shouldReplan: false });
    expect(await reflector.evaluatePlan(plan, one)).toMatchObject({ success: false, shouldReplan: true });
    const two = [...one.slice(0, 3), failed('d', 'access denied'), failed('e', 'division by zero')];
    expect(await reflector.evaluatePlan(plan, two)).toMatchObject({ success: false, shouldReplan: true });
    const known = [...one.slice(0, 3), failed('d', 'access denied'), failed('e', 'its loop ended as aborted')];
    expect(await reflector.evaluatePlan(plan, known)).toMatchObject({ success: false, shouldReplan: false });
  });

  test('results of tasks that are not in the plan, and earlier results of a task, do not count', async () => {
    const results = [failed('a', 'timeout'), ok('a'), failed('x', 'timeout')];
    expect(await reflector.evaluatePlan(planOf('a'), results)).toMatchObject({ success: true, issues: [] });
    expect(await reflector.evaluatePlan(planOf(), [])).toMatchObject({
      success: false,
      issues: ['the plan has no tasks'],
    });
  });

  test('the model is asked with what happened, and its suggestions come after those of the rules', async () => {
    const llmClient = scripted('Sure:\n- Cache the page\n2. Ask a mirror\n');
    const evaluation = await new Reflector({ llmClient }).evaluatePlan(planOf('a'), [
      failed('a', 'timeout at mirror 7'),
    ]);
    expect(evaluation.suggestions.slice(-2)).toEqual(['Cache the page', 'Ask a mirror']);
    expect(evaluation.suggestions[0]).toMatch(/more time/);
    expect(llmClient.asked).toEqual([expect.stringContaining('timeout at mirror 7')]);
  });

  test('a model that fails costs its suggestions only', async () => {
    const failures: unknown[] = [];
    const options = {
      llmClient: scripted(new Error('away')),
      onModelFailure: (error: unknown) => failures.push(error),
    };
    const evaluation = await new Reflector(options).evaluatePlan(planOf('a'), [ok('a')]);
    expect(evaluation).toMatchObject({ success: true, suggestions: [] });
    expect(failures).toEqual([new Error('away')]);
  });

  test('without model reflection no model is called', async () => {
    const llmClient = scripted();
    const quiet = new Reflector({ llmClient, enableLlmReflection: false });
    const evaluation = await quiet.evaluatePlan(planOf('a'), [failed('a', 'timeout')]);
    quiet.evaluateTask(task, failed('fetch', 'timeout'));
    expect(evaluation.success).toBe(false);
    expect(llmClient.asked).toEqual([]);
  });

  test('a reply is read as a list, else by lines, and limited', () => {
    expect(readSuggestions('Be brief\n\nBe kind')).toEqual(['Be brief', 'Be kind']);
    expect(readSuggestions(Array.from({ length: 30 }, (_, index) => `- ${index}`).join('\n'))).toHaveLength(8);
    expect(readSuggestions(`- ${'x'.repeat(5_000)}`)[0]!.length).toBeLessThan(1_000);
  });
});

describe('learning from an episode', () => {
  const plan = planOf('a', 'b', 'c');
  const episode = async (results: TaskResult[]): Promise<Episode> => ({
    goal: 'Publish the report',
    plan,
    results,
    evaluation: await reflector.evaluatePlan(plan, results),
    startedAt: '2024-01-01T00:00:00.000Z',
    endedAt: '2024-01-01T00:01:00.000Z',
  });

  test('failures leave what failed, what they have in common, and what helps', async () => {
    const stored: string[] = [];
    const learning = new Reflector({
      storeInsights: (insights) => void stored.push(...insights.map(({ text }) => text)),
    });
    const insights = await learning.learnFromEpisode(
      await episode([ok('a'), failed('b', 'no such file: x'), failed('c', 'not found: y')]),
    );
    expect(insights.map(({ text }) => text)).toEqual(stored);
    expect(stored.join('\n')).toMatch(/Publish the report.*2 tasks in a row failed/);
    expect(stored.join('\n')).toMatch(/"do b" failed \(not_found\): no such file: x/);
    expect(stored.join('\n')).toMatch(/path exists/);
    expect(insights.every(({ importance }) => importance > 0.6 && importance <= 1)).toBe(true);
  });

  test('a success leaves what worked, once', async () => {
    const insights = listEpisodeInsights(await episode([ok('a'), ok('b'), ok('c')]));
    expect(insights).toEqual([{ text: expect.stringMatching(/this plan worked: do a; do b; do c/), importance: 0.5 }]);
  });
});

test('the usage of the document: a reflector with criteria of its own judges a task and a plan', async () => {
  const llmClient = scripted('- Try a mirror');
  const mine = new Reflector({ llmClient, criteria: criteriaFromConfig({ min_success_rate: 0.9 }) });
  const plan = planOf('one', 'two');
  const results = [ok('one'), failed('two', 'Connection reset')];
  const evaluation = mine.evaluateTask(plan.tasks[1]!, results[1]!);
  expect([evaluation.success, evaluation.shouldReplan]).toEqual([false, true]);
  expect(evaluation.issues).toEqual(['network: Connection reset']);
  const whole = await mine.evaluatePlan(plan, results);
  expect(whole.success).toBe(false);
  expect(whole.suggestions).toContain('Try a mirror');
});
