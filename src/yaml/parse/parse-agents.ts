import type { AgentReflectionSpec } from '../../domain/agents/population';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { parseAgentReflection } from '../../schemas';
import type { ReadDocument } from '../read-document';
import type { FileProblem, RunFile } from '../spec-file-error';

/** A population that was read from a file. */
export type AgentsFile = RunFile<'agents', AgentReflectionSpec>;

/** Takes a document for a population. */
export function agentsOf({ value, originsOf, problemAt, fail }: ReadDocument, file: string): AgentsFile {
  const locate = ({ path, message }: SpecProblem): FileProblem[] =>
    originsOf(path).map((origin) => problemAt(origin, message));
  const parsed = parseAgentReflection(value);
  if ('problems' in parsed) return fail('InvalidSpec', parsed.problems.flatMap(locate));
  return { kind: 'agents', file, spec: parsed.spec, locate };
}
