/** The page of messages, from their definitions in the workflows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { COMMAND_NAMES, COMMANDS } from '../../../src/loop/base/command-payloads';
import { fieldTitles } from './fields';
import { anchorOf, GENERATED, markdownTable } from './table';

const WORKFLOWS = path.join(__dirname, '..', '..', '..', 'src', 'workflows');

/** Each workflow type: where its messages are defined, what it takes and returns. */
const TYPES = {
  reflectionLoop: ['messages.ts', 'ReflectionSpec', 'ReflectionResult'],
  reflectionPipeline: ['pipeline/reflection-pipeline.ts', 'PipelineSpec', 'PipelineResult'],
  planReflection: ['plan/plan-reflection.ts', 'PlanSpec', 'PlanRunResult'],
  agentReflection: ['agents/agent-messages.ts', 'AgentReflectionSpec', 'AgentReflectionReport'],
  reflectionBatch: ['batch/batch-messages.ts', 'BatchSpec', 'BatchResult'],
  reflectionEvaluate: ['standalone/reflection-evaluate.ts', 'EvaluationRequest', 'ReflectionEvaluation'],
  reflectionCorrect: ['standalone/reflection-correct.ts', 'CorrectionRequest', 'CorrectionResult'],
} as const;

interface Message {
  name: string;
  kinds: string[];
  payload: string;
  answer: string;
}

/** Names of types whose page is called otherwise. */
const CALLED: Record<string, string> = {
  '{ state?: boolean }': 'PipelineProgressQuestion',
  '{ from?: number; agentId?: string }': 'ReflectionsQuestion',
};

function link(type: string): string {
  const plain = type.replace(/\?$/, '');
  const command = /^(\w+)Payload$/.exec(plain)?.[1]?.toLowerCase();
  const title = command ? `Command ${command}` : (CALLED[plain] ?? plain);
  if (!fieldTitles().includes(title)) throw new Error(`The page of fields has no section ${title}`);
  return `[${title}](fields.md#${anchorOf(title)})${type.endsWith('?') ? ', may be left out' : ''}`;
}

/** The messages that a file defines; a signal and an update of one name are one message. */
export function messagesIn(file: string): Message[] {
  const source = readFileSync(path.join(WORKFLOWS, file), 'utf8');
  const messages = new Map<string, Message>();
  for (const [, kind, types, name] of source.matchAll(/= define(Signal|Update|Query)(?:<(.*)>)?\('(\w+)'\);/g)) {
    const [, answer = '', payload = ''] = /^(?:(\w+))?(?:, )?(?:\[(.*)\])?$/.exec(types ?? '') ?? [];
    const known = messages.get(name!);
    if (known) Object.assign(known, { kinds: [...known.kinds, kind!.toLowerCase()], answer: known.answer || answer });
    else messages.set(name!, { name: name!, kinds: [kind!.toLowerCase()], payload, answer });
  }
  return [...messages.values()];
}

function row({ name, kinds, payload, answer }: Message): string[] {
  return [`\`${name}\``, kinds.join(', '), payload ? link(payload) : 'none', answer ? link(answer) : 'none'];
}

export function messagesPage(): string {
  const sections = Object.entries(TYPES).map(([type, [file, spec, result]]) => {
    const messages = messagesIn(file);
    const takes = `Takes ${link(spec)} and returns ${link(result)}.`;
    if (messages.length === 0) return `## ${type}\n\n${takes} It takes no messages.`;
    return `## ${type}\n\n${takes}\n\n${markdownTable(['Name', 'Kind', 'Payload', 'Answer'], messages.map(row))}`;
  });
  const commands = COMMAND_NAMES.map((name) => [
    `\`${name}\``,
    COMMANDS[name].description,
    `\`${JSON.stringify(COMMANDS[name].example)}\``,
  ]);
  return `# Workflow types and messages

What any Temporal client can start and send. Arguments, payloads and answers are JSON. ${GENERATED}

The answer is that of the update or query; a signal has none. [Clients in other languages](../clients.md) shows how to
send them.

${sections.join('\n\n')}

## Commands

${markdownTable(['Command', 'Effect', 'Example'], commands)}
`;
}
