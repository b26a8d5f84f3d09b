import { readChecklist } from '../../../src/evaluators/judge/checklist-reply';

const read = (answer: object) => {
  const checklist = readChecklist(JSON.stringify({ answers: [{ question: 'q1', answer: 'no', ...answer }] }), ['q1']);
  if ('problem' in checklist) throw new Error(checklist.problem);
  return checklist.answers.get('q1');
};

describe('answers to questions', () => {
  test('say what is wrong, where, how badly, and whether anybody could mend it', () => {
    const said = { finding: 'no price', severity: 'critical', path: '/price', suggestion: 'ask the shop' };
    expect(read({ ...said, missingInformation: true })).toEqual({ yes: false, ...said, missingInformation: true });
    expect(read({ ...said, missingInformation: false })).toEqual({ yes: false, ...said });
    expect(read({ ...said, missingInformation: null })).toEqual({ yes: false, ...said });
  });
});
