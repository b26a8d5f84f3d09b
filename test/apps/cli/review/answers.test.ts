import type { ReflectionClient } from '../../../../src/client';
import { Pages } from '../../../../src/apps/cli/review/pages';
import { ReviewRuns, type SeenRun } from '../../../../src/apps/cli/review/runs';
import type { Sent } from '../../../../src/apps/cli/review/payload';
import { CommandRefusedError } from '../../../../src/loop/errors/errors';
import type { Progress } from '../../../../src/loop/contract/results';
import type { PersonWait } from '../../../../src/loop/contract/waiting';
import { NO_USAGE } from '../../../../src/lib/base/tokens';

const QUESTION: PersonWait = {
  id: 'question-1',
  kind: 'question',
  question: 'Which region?\n<b>Now</b>',
  options: ['Europe', 'Asia & \u202eAfrica'],
};
const CALL: PersonWait = {
  id: 'approval-1',
  kind: 'approval',
  action: 'refund',
  arguments: { amount: 20, to: '</textarea><script>1</script>\u202e' },
};
const OTHER: PersonWait = { id: 'approval-2', kind: 'approval', action: 'close', arguments: {} };

/** A run that asks, and refuses what it does not ask. */
class Asking extends ReviewRuns {
  readonly sent: Sent[] = [];
  constructor(public waits: PersonWait[]) {
    super({} as ReflectionClient);
  }
  override async look(workflowId: string): Promise<SeenRun> {
    const [first] = this.waits;
    const waitingFor = {
      ...(first && { id: first.id, kind: first.kind }),
      waits: this.waits,
      what: 'answers',
      until: '2026-11-27T09:00:00.000Z',
      commands: [{ name: 'answer' as const, payload: { to: 'question-1', text: 'your answer' } }],
    };
    const usage = { ...NO_USAGE, usd: 0 };
    const progress = {
      phase: 'waiting',
      iteration: 0,
      maxIterations: 3,
      scores: [],
      best: null,
      tokenUsage: usage,
      waitingFor,
    };
    const report = {
      issues: [],
      kind: 'loop',
      workflowId,
      startedAt: '2026-11-26T09:00:00.000Z',
      versions: [],
      roles: [],
      actions: [],
      tokenUsage: usage,
    };
    const run = {
      workflowId,
      runId: 'run',
      lookId: `look-${this.sent.length}`,
      isRunning: true,
      showsPrompts: false,
      link: undefined,
    };
    return {
      ...run,
      progress: progress as unknown as Progress,
      report: report as unknown as SeenRun['report'],
    } as SeenRun;
  }
  override async send(sent: Sent): Promise<Progress> {
    const { to } = sent.payload as { to: string };
    if (!this.waits.some(({ id }) => id === to)) throw new CommandRefusedError(`"${to}" is not what the run waits for`);
    this.sent.push(sent);
    this.waits = this.waits.filter(({ id }) => id !== to);
    return {} as Progress;
  }
}

const PATH = '/runs/loop';

/** Reads the fields of the form for answers as a browser would send them. */
function fieldsOf(page: string): URLSearchParams {
  const form = /<div class="answers">([\s\S]*?)<\/form>/.exec(page)![1]!;
  const decode = (text: string) =>
    text.replace(
      /&(lt|gt|quot|amp|#39);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" })[name]!,
    );
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    const isSent = !input.includes('type="radio"') || /\schecked/.test(input);
    if (name !== undefined && isSent) fields.append(name, decode(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
  }
  for (const [, attributes = '', text = ''] of form.matchAll(/<textarea([^>]*)>\n?([^<]*)<\/textarea>/g))
    fields.append(/name="([^"]*)"/.exec(attributes)![1]!, decode(text).replaceAll('\n', '\r\n'));
  return fields;
}

async function open(runs: Asking) {
  const pages = new Pages(runs, 'Ada');
  const shown = await pages.get(PATH, undefined);
  const { page } = shown as { page: string };
  return { page, fields: fieldsOf(page), post: (fields: URLSearchParams) => pages.post(PATH, fields) };
}

const withFields = (fields: URLSearchParams, more: Record<string, string>): URLSearchParams => {
  const all = new URLSearchParams(fields);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return all;
};

describe('answers on the review page', () => {
  test('what a model asks and calls is text; the form sends arguments and options as they are', async () => {
    const runs = new Asking([QUESTION, CALL]);
    const { page, fields, post } = await open(runs);
    expect(page).not.toMatch(/<b>Now|<script>1/);
    expect(page).toContain('Which region?\n&lt;b&gt;Now');
    // Invisible characters are shown, and a browser gives them back.
    expect(page).toContain('\\u202e');
    const option = [...page.matchAll(/name="option\.question-1"\s+value="([^"]*)"/g)].map(([, value]) => value)[1]!;
    const changed = fields.get('arguments.approval-1')!.replace('20', '15');
    await post(
      withFields(fields, {
        'option.question-1': option,
        'text.question-1': 'And\r\nsoon.',
        'decision.approval-1': 'change',
        'arguments.approval-1': changed,
        'reason.approval-1': 'Too much.',
      }),
    );
    const { amount: _amount, ...rest } = CALL.arguments as { amount: number };
    expect(runs.sent.map(({ payload }) => payload)).toEqual([
      { to: 'question-1', text: 'Asia & \u202eAfrica\nAnd\nsoon.', by: 'Ada', id: 'look-0-answer-question-1' },
      {
        to: 'approval-1',
        arguments: { amount: 15, ...rest },
        reason: 'Too much.',
        by: 'Ada',
        id: 'look-0-answer-approval-1',
      },
    ]);
  });

  test('several are answered at once, and what is left open stays open', async () => {
    const runs = new Asking([QUESTION, CALL, OTHER]);
    const { fields, post } = await open(runs);
    const done = await post(
      withFields(fields, {
        'decision.approval-1': 'refuse',
        'reason.approval-1': 'No.',
        'decision.approval-2': 'approve',
      }),
    );
    expect(done).toEqual({ location: expect.stringMatching(/runs\/loop$/) });
    expect(runs.sent.map(({ payload }) => payload)).toMatchObject([
      { to: 'approval-1', refuse: true, reason: 'No.' },
      { to: 'approval-2', approve: true },
    ]);
    expect(runs.waits).toEqual([QUESTION]);
  });

  test('of a form that is partly too late the page says what was taken, and keeps what is still to be sent', async () => {
    const runs = new Asking([QUESTION, CALL, OTHER]);
    const { fields, post } = await open(runs);
    runs.waits = [CALL, OTHER];
    const filled = withFields(fields, { 'text.question-1': 'Europe', 'decision.approval-1': 'approve' });
    const answer = await post(filled);
    const { status, page } = answer as { status: number; page: string };
    expect(status).toBe(409);
    expect(page).toMatch(/Taken: approval-1\. Refused: &quot;question-1&quot; is not what the run waits for/);
    expect(page).toContain('id="wait-approval-2"');
    expect(page).not.toContain('id="wait-approval-1"');
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['nothing', {}, /Nothing was answered/],
    [
      'changed arguments that are approved as they were',
      { 'decision.approval-1': 'approve', 'arguments.approval-1': '{}' },
      /did not choose/,
    ],
    ['changed arguments without a choice', { 'arguments.approval-1': '{}' }, /did not choose/],
    ['other arguments that are the same', { 'decision.approval-1': 'change' }, /are as they were/],
    [
      'arguments with a slip',
      { 'decision.approval-1': 'change', 'arguments.approval-1': '{"amount": }' },
      /line 1, column 12/,
    ],
    [
      'arguments that are no object',
      { 'decision.approval-1': 'change', 'arguments.approval-1': '[1]' },
      /no JSON object/,
    ],
    [
      'a number that would lose digits',
      { 'decision.approval-1': 'change', 'arguments.approval-1': '{"a": 12345678901234567890}' },
      /lose digits/,
    ],
    ['a reason without a decision', { 'reason.approval-1': 'No.' }, /did not decide/],
  ])('%s: refused, and nothing is sent', async (_name, typed, why) => {
    const runs = new Asking([QUESTION, CALL]);
    const { fields, post } = await open(runs);
    const answer = await post(
      withFields(fields, { ...typed, 'text.question-1': Object.keys(typed).length > 0 ? 'Europe' : '' }),
    );
    const { status, page } = answer as { status: number; page: string };
    expect(status).toBe(400);
    expect(page).toMatch(why);
    expect(runs.sent).toEqual([]);
    // What was typed stands there again.
    if (Object.keys(typed).length > 0) expect(fieldsOf(page).get('text.question-1')).toBe('Europe');
  });
});
