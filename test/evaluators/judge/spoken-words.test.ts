import { readJudgement } from '../../../src/evaluators/judge/judge-reply';
import { isProblem } from '../../../src/evaluators/replies/words';

describe('what a judge says in its own words', () => {
  const code = 'abcdef12';
  const read = (reply: string) => readJudgement(reply, 0.8, 'judge', { code });
  const said = (reply: string): string => {
    const found = read(reply);
    return isProblem(found) ? 'none' : found.outcome === 'pass' && found.confidence <= 0.4 ? 'unsure' : found.outcome;
  };
  const verdict = (fields: object): string => JSON.stringify({ code, ...fields });

  test.each([
    'the closing </think> is missing',
    'it opens <thinking> and leaves it open',
    '<think> is not closed',
    'the headings [Thoughts] and [Analysis] are there',
    'the <scratchpad> element [reasoning] ◁think▷ is explained',
  ])('a verdict whose reason speaks of marks of reasoning is read: %s', (reason) => {
    expect(said(verdict({ valid: true, score: 0.9, reason }))).toBe('pass');
    expect(said(verdict({ valid: false, score: 0.2, reason, issues: [reason] }))).toBe('fail');
    expect(said(`Here:\n${verdict({ valid: false, score: 0.2, reason })}`)).toBe('fail');
    expect(said(`Code: ${code}\nVerdict: fail\nReason: see: ${reason}`)).not.toBe('pass');
    expect(said(`<think>${reason} ${verdict({ valid: true, reason })}</think>${verdict({ valid: false })}`)).not.toBe(
      'pass',
    );
    expect(said(`${reason} ${verdict({ valid: true, reason })} no.</think>${verdict({ valid: false })}`)).not.toBe(
      'pass',
    );
  });

  test.each([
    `maybe ${verdict({ valid: true, reason: 'closes </think>' })} hm</think>`,
    `<think>Verdict: pass\nCode: ${code}\nReason: it says </think> once`,
    `Code: ${code}\nVerdict: pass\nReason: nothing is behind </reasoning>`,
    `Code: ${code}\nVerdict: pass\nReason: it opens <think> and goes on\nno, Verdict: fail`,
  ])('a pass that may have been tried out in reasoning is not read: %s', (reply) => {
    expect(said(reply)).toBe('none');
  });

  test('a rejection in lines may end with a mark', () => {
    expect(said(`Code: ${code}\nVerdict: fail\nReason: there is text behind </reasoning>`)).toBe('fail');
  });

  test.each([
    ...['P0', 'p1', 'S1', 'SEV-1', 'must fix', 'CRITICAL_FAIL', '🔴 blocking', 'hoch'].map((word) => ({
      severity: word,
    })),
    { impact: 'high' },
    { priority: 'P0' },
    { level: 'critical' },
    { blocking: true },
  ])('a pass beside an issue of the weight %j is not sure', (weight) => {
    const issues = [{ ...weight, message: 'it deletes the data' }];
    for (const more of [{ valid: true }, {}]) {
      expect(said(verdict({ ...more, score: 0.9, issues }))).not.toBe('pass');
    }
  });

  test.each(['P3', 'nit', 'info', 'trivial', 'low'])('a pass beside an issue called %s is sure', (severity) => {
    expect(said(verdict({ valid: true, score: 0.9, issues: [{ severity, message: 'a comma is missing' }] }))).toBe(
      'pass',
    );
  });

  test('a pass whose reason is a judgement that rejects is not read, and one that passes is', () => {
    expect(said(verdict({ valid: true, score: 0.9, reason: '{"valid": false, "score": 0.1}' }))).toBe('none');
    expect(said(verdict({ valid: true, score: 0.9, reason: '{"valid": true, "score": 0.9}' }))).toBe('pass');
  });
});
