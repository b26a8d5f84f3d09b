import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { convertFile, parseFile, SpecFileError } from '../../../../src/apps/yaml';
import { AGENTS } from './agents';

const ROOT = path.join(__dirname, '..', '..', '..', '..');
const filesIn = (folder: string): [string, string][] =>
  (readdirSync(path.join(ROOT, folder), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.yaml') && !name.includes('node_modules'))
    .map((name) => [name, readFileSync(path.join(ROOT, folder, name), 'utf8')]);
const examples = [...filesIn('examples'), ...filesIn('test/apps/yaml/agents')];

/** Files that hold something to run: others are read by other commands. */
const RUNNABLE = [...Object.entries(AGENTS), ...examples].filter(([, text]) => isRunnable(text));

function isRunnable(text: string): boolean {
  try {
    return parseFile(text, 'file.yaml').kind !== 'config';
  } catch {
    return false;
  }
}

const specOf = (text: string): unknown => {
  const read = parseFile(text, 'file.yaml');
  return 'spec' in read ? read.spec : undefined;
};
const comments = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const [, comment] = /^(?:[^'"]* )?#\s*(.*)$/.exec(line) ?? [];
    return comment === undefined ? [] : [comment];
  });

describe('a converted file', () => {
  test('all of the agents, and most examples, can be run', () => {
    const names = RUNNABLE.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(AGENTS)));
    expect(names.length).toBeGreaterThan(Object.keys(AGENTS).length + 5);
  });

  const warned = (text: string): string[] =>
    parseFile(text, 'file.yaml')
      .warnings()
      .map(({ message }) => message);

  test.each(RUNNABLE)('%s: means the same, has all comments, no warnings, and no words of others', (_name, text) => {
    const converted = convertFile(text, 'file.yaml');
    expect(specOf(converted)).toEqual(specOf(text));
    expect(comments(converted)).toEqual(expect.arrayContaining(comments(text)));
    // Code stays as it is, and so does what is said of it.
    const ofCode = warned(text).filter((message) => message.startsWith('inline code'));
    expect(warned(converted)).toEqual(ofCode);
    expect(withoutComments(converted)).not.toMatch(
      /\b(?:uses|evaluator_type|quality_criteria|reflection_triggers|revision_strategy|provider):/,
    );
    // What was converted is left as it is, but for what is said of it.
    expect(withoutComments(convertFile(converted, 'file.yaml'))).toBe(withoutComments(converted));
  });

  test('keeps order, quotes, names and blocks of text, and says what is left out and what means something else', () => {
    expect(convertFile(AGENTS['a loop, a check, a correction and code']!, 'agent.yaml')).toBe(CONVERTED);
  });

  test('what is left out at the end of an object is told there', () => {
    const converted = convertFile(AGENTS['a loop alone']!, 'agent.yaml');
    const lines = converted.trimEnd().split('\n');
    expect(lines.slice(-2)).toEqual([
      '# NOTE: left out (not needed here, or said in another way):',
      '#   reflection_triggers: [step_interval]',
    ]);
  });

  test('what stands for another value is written out', () => {
    const converted = convertFile(AGENTS['anchors and aliases']!, 'agent.yaml');
    expect(converted).not.toMatch(/[&*](?:prompt|loop|judge)\b/);
    expect(converted.match(/Write about \{\{ state\.topic \}\}\./g)).toHaveLength(3);
  });

  test('a file with mistakes is refused as it is read; configuration has no other form', () => {
    expect(() => convertFile('nodes:\n  - name: a\n    goto: b\n', 'agent.yaml')).toThrow(SpecFileError);
    expect(() => convertFile('nodes:\n  - name: a\n    goto: b\n', 'agent.yaml')).toThrow(/agent\.yaml:3:5/);
    expect(() => convertFile('agent: { enable_reflection: true }\n', 'agent.yaml')).toThrow(/configuration/);
  });
});

function withoutComments(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/(^| )#.*$/, '').trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

const CONVERTED = `# Writes haikus.
# Every week.

name: haiku # short
description: Writes a haiku, and checks it.
settings:
  # NOTE: which endpoint serves a model of this name is configured on the worker
  # NOTE: left out (not needed here, or said in another way):
  #   provider: openai
  llm: { model: small } # for all
state:
  topicName: rain
  deep_key: { innerKey: 1, inner_key: 2 }

nodes:
  # The loop.
  - name: write
    action: reflection.loop
    with:
      generator:
        action: llm.call
        # asked each time
        prompt: |
          Write a haiku about {{ state.topicName }}.
      evaluator:
        - # NOTE: a reply of the judge that is no clear verdict is asked for again, and never taken for a score
          # of 0
          type: llm
          prompt: 'Is it a haiku?'
        - criteria: [ clarity ]
          type: criteria
      revision:
        strategy: full_rewrite
      # NOTE: left out (not needed here, or said in another way):
      #   reflection_triggers: [completion, error]
      max_iterations: 3 # enough
      on_failure: return_best
      # NOTE: iterations are counted up to max_iterations; with true, a score that no longer rises ends the
      # loop, too
      convergence: false
      triggers:
        reflect_on_error: true
    output: poem

  - name: check
    action: reflection.evaluate
    with:
      data: "{{ state.poem }}"
      evaluator:
        # what it must be
        type: schema
        schema: { type: object, required: [ aKey, b_key ] }
    output: verdict
  - name: fix
    action: reflection.correct
    with: { data: "{{ state.poem }}", corrector: { prompt: Fix it, max_tokens: 20, action: llm.call } }
    output: fixed
  - name: end
    # NOTE: code runs in a process of its own, without files and network, and sees copies: what it
    # changes in \`state\` is gone
    run: |
      return {"x": 1}
edges:
  - { from: __start__, to: write }
  - { from: write, to: check }
  - { from: check, to: fix }
  - { from: fix, to: end }
  - { from: end, to: __end__ }

# the end
`;
