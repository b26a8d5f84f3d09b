import type { ExternalEvaluator } from '../../../src/loop/contract/evaluators';
import type { ConformanceCase } from './case';

const PROGRAM = `
let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { output } = JSON.parse(text);
  console.log(JSON.stringify({ pass: output.startsWith('Dear'), errors: output.startsWith('Dear') ? [] : ['no greeting'] }));
});`;

export const externalCase: ConformanceCase<ExternalEvaluator> = {
  config: { type: 'external', command: 'greeting' },
  local: false,
  good: 'Dear Ada',
  bad: 'Hello Ada',
  broken: { type: 'external', command: 'nobody' },
  outage: { config: { type: 'external', command: 'breaks' } },
  context: {
    external: {
      commands: {
        greeting: { command: process.execPath, args: ['-e', PROGRAM] },
        breaks: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
      },
    },
  },
};
