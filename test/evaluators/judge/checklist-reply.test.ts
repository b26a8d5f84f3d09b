import { readChecklist } from '../../../src/evaluators/judge/checklist-reply';

const read = (answer: object) => {
  const checklist = readChecklist(JSON.stringify({ answers: [{ question: 'q1', answer: 'no', ...answer }] }), ['q1']);
  if ('problem' in checklist) throw new Error(checklist.problem);
  return checklist.answers.get('q1');
};

describe('answers to questions', () => {
  test('become issues with a place, a severity and whether information is missing', () => {
    const said = { finding: 'no price', severity: 'critical', path: '/price', suggestion: 'ask the shop' };
    expect(read({ ...said, missingInformation: true })).toEqual({ yes: false, ...said, missingInformation: true });
    expect(read({ ...said, missingInformation: false })).toEqual({ yes: false, ...said });
    expect(read({ ...said, missingInformation: null })).toEqual({ yes: false, ...said });
  });

  test.each<[object, string | undefined]>([
    [{ finding: ['no price', 'no date'] }, 'no price; no date'],
    [{ finding: { total: 'wrong' } }, 'total: wrong'],
    [{ finding: null, why: 'no price' }, 'why: no price'],
    [{ finding: 'None' }, undefined],
    [{}, undefined],
  ])('keep what decides them: %j', (said, finding) => {
    expect(read(said)).toEqual(finding === undefined ? { yes: false } : { yes: false, finding });
  });

  test.each<[string]>([
    ['{"answers": [{"question": "q1", "answer": "yes"}, {"question": "q0", "answer": "no"}]}'],
    ['{"answers": [{"question": "q1", "answer": "yes", "reason": "No, it is missing."}]}'],
    ['{"answers": [{"question": "q1", "answer": "yes", "finding": "Wait, it is missing."}]}'],
    ['{"answers": [{"question": "q1", "answer": "yes"}, {"overall": "fail"}]}'],
    ['q1: yes - wait, it is missing'],
    ['q1: yes\nq0: no'],
  ])('a yes beside which something says no is no answer: %j', (reply) => {
    expect(readChecklist(reply, ['q1'])).toHaveProperty('problem');
  });
});
