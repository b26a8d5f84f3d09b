import { parseFile } from '../../../../src/apps/yaml';
import { AGENTS, OWN_WORDS } from './foreign-agents';

function specOf(text: string): unknown {
  const read = parseFile(text, 'agent.yaml');
  if (read.kind === 'config') throw new Error('the file holds nothing to run');
  return read.spec;
}

describe('the agent file of another engine', () => {
  test.each(Object.entries(AGENTS))('%s: means the same as a file in the words of this package', (name, text) => {
    expect(specOf(text)).toEqual(specOf(OWN_WORDS[name]!));
    expect(parseFile(OWN_WORDS[name]!, 'agent.yaml').warnings()).toEqual([]);
  });
});
