import { z } from 'zod';
import { ToolFailed } from '../../actions/action-failed';
import type { Action } from '../../actions/types';
import { isJsonObject, type JsonObject } from '../../lib/json/json';
import { pointerSegments } from '../../lib/json/json-pointer';
import { judgeOutput, problemsOfSchema } from '../../evaluators/schema/schema';
import { oldDraftProblem } from '../../evaluators/schema/schema-dialect';
import { schemaSizeProblem } from '../../evaluators/schema/schema-size';
import { allows } from '../../lib/base/allow-list';
import type { McpConnection } from './connection';
import type { McpTarget } from './settings';
import type { ServerTool } from './content';

/** The server alone checks the arguments of a schema whose draft is not judged here. Hostile sizes are no such schema. */
function isCheckedByServer(schema: JsonObject): boolean {
  return schemaSizeProblem(schema) === undefined && oldDraftProblem(schema) !== undefined;
}

/** Returns the parameters that a tool takes: checked before the server is called, so that a mistake costs no call. */
function parametersOf(schema: JsonObject): z.ZodType<JsonObject> {
  const object = z.custom<JsonObject>((value) => isJsonObject(value), 'must be an object');
  if (isCheckedByServer(schema)) return object;
  return object.superRefine(async (output, context) => {
    const { outcome, issues, reason } = await judgeOutput({ schema, output, coerce: false, name: 'parameters' });
    for (const { message, path = '' } of issues) {
      // The place is in the message, too.
      const why = message.slice(message.indexOf(': ') + 2);
      context.addIssue({ code: 'custom', message: why, path: pointerSegments(path) });
    }
    if (outcome === 'inconclusive') context.addIssue({ code: 'custom', message: reason ?? 'cannot be checked' });
  });
}

function approvalRule(approval: McpTarget['approval'] = [], name: string): Action['approval'] {
  if (Array.isArray(approval)) return allows(approval, name);
  const schemas = Object.entries(approval).flatMap(([entry, schema]) => (allows([entry], name) ? [schema] : []));
  if (schemas.length === 0) return false;
  return async (parameters: JsonObject) => {
    const judged = schemas.map(async (schema) =>
      judgeOutput({ schema, output: parameters, coerce: false, name: 'approval' }),
    );
    // A schema that cannot be read allows nothing.
    return (await Promise.all(judged)).some(({ outcome }) => outcome !== 'fail');
  };
}

export class McpTool {
  readonly action: Action;
  readonly #schema: JsonObject;
  #problem: Promise<string | undefined> | undefined;
  /** The reason why it cannot be used, known after a check. */
  problem: string | undefined;

  constructor(
    connection: McpConnection,
    told: ServerTool,
    { maximumAttempts, readOnly = [], approval }: Pick<McpTarget, 'maximumAttempts' | 'readOnly' | 'approval'> = {},
  ) {
    const { name, description, inputSchema, problem } = told;
    this.#schema = inputSchema;
    this.problem = problem;
    this.action = {
      name: `mcp.${connection.name}.${name}`,
      description,
      input: parametersOf(this.#schema),
      parameters: this.#schema,
      needs: [],
      ...(maximumAttempts !== undefined && { maximumAttempts }),
      readOnly: allows(readOnly, name),
      approval: approvalRule(approval, name),
      async run(parameters: JsonObject, { signal, idempotencyKey }) {
        const { text, structured, isError } = await connection.call({ tool: name, parameters, signal, idempotencyKey });
        if (isError) throw new ToolFailed(text);
        // The structure that the tool gave, or else its text.
        return structured ?? text;
      },
    };
  }

  /** Checks the schema of the tool, which is not trusted, before its first use. */
  async check(): Promise<void> {
    this.#problem ??= this.#check();
    this.problem = await this.#problem;
  }

  async #check(): Promise<string | undefined> {
    if (this.problem !== undefined) return this.problem;
    if (isCheckedByServer(this.#schema)) return undefined;
    const [first] = await problemsOfSchema({ schema: this.#schema });
    return first && `the JSON Schema of its parameters is none: ${first.path} ${first.message}`;
  }
}
