import { readKeptCalls } from '../../../activities/prompts/kept-record';
import { asksModel, PROMPTING_ACTIVITIES, renderPrompt } from '../../../activities/prompts/render-again';
import type { ReflectionClient } from '../../../client';
import { chainOf } from '../../../calls/chain';
import { type RecordedCall, recordedCalls, reportedUsage } from '../../../calls/recorded-calls';
import type { ModelCall, ReceivedReply } from '../../../lib/contract/model-calls';
import { messageOf } from '../../../lib/base/message-of';
import { isJsonObject, type Json } from '../../../lib/json/json';
import { CODE_WORD, HIDDEN_CODE } from '../../../lib/text/asked-code';
import { type ValueStorage, valueStorageOf } from '../../../lib/storage';

export interface PromptsAsked {
  workflowId: string;
  /** The version whose calls are requested. Default: all calls. */
  version?: number;
}

const METHOD = 'prompts';

const UNREADABLE =
  'The input of the call cannot be read here: it is encrypted or stored elsewhere (REFLECT_CODEC_KEYS, REFLECT_STORAGE).';

function packageVersion(): string {
  return (require('../../../../package.json') as { version: string }).version;
}

function iterationOf({ input }: RecordedCall): number | undefined {
  const iteration = isJsonObject(input) ? input['iteration'] : undefined;
  return typeof iteration === 'number' ? iteration : undefined;
}

function replyIn(result: Json): ReceivedReply | undefined {
  if (!isJsonObject(result)) return undefined;
  const { reply, output, said, unreadable, toolCalls, cutOff } = result;
  if (isJsonObject(unreadable) && typeof unreadable['reply'] === 'string')
    return { text: unreadable['reply'].replaceAll(CODE_WORD, HIDDEN_CODE) };
  const text = isJsonObject(reply) ? (reply['text'] ?? output) : toolCalls ? (output ?? said) : undefined;
  if (typeof text !== 'string') return undefined;
  return {
    text,
    ...(Array.isArray(toolCalls) && { toolCalls: toolCalls as unknown as ReceivedReply['toolCalls'] & object }),
    ...(cutOff === true && { cutOff }),
  };
}

function readIn(result: Json): Json {
  if (!isJsonObject(result)) return result;
  if ('output' in result) return result['output'] ?? null;
  const { tokenUsage: _usage, ms: _ms, judgedAt: _at, unreadable: _reply, issues, ...verdict } = result;
  if (!Array.isArray(issues)) return verdict;
  const shown = issues.map((issue) => {
    if (!isJsonObject(issue)) return issue;
    const { identity: _identity, evaluator: _evaluator, ...rest } = issue;
    return rest;
  });
  return { ...verdict, issues: shown };
}

interface PlacedCall extends RecordedCall {
  number: number;
  workflowId: string;
}

function identityOf(
  call: PlacedCall,
): Pick<ModelCall, 'number' | 'activity' | 'title' | 'iteration' | 'failureBefore'> {
  const { number, activity, summary, failureBefore: before } = call;
  const iteration = iterationOf(call);
  return {
    number,
    activity,
    title: summary ?? activity,
    ...(iteration !== undefined && { iteration }),
    ...(before && { failureBefore: { type: before.type, message: before.message } }),
  };
}

async function keptCalls(call: PlacedCall, values: ValueStorage): Promise<ModelCall[]> {
  const kept = await readKeptCalls(call.prompts!, (addresses) => values.load(addresses));
  return kept.map((each) => ({ ...identityOf(call), source: 'kept' as const, ...each }));
}

async function renderedCall(call: PlacedCall, why = ''): Promise<ModelCall> {
  const { activity, input, workflowId, runId, attempt, startedAt, endedAt, failure } = call;
  // An evaluation is a list of one verdict.
  const result = (Array.isArray(call.result) ? (call.result as Json[])[0] : call.result) as Json | undefined;
  const rendered =
    input === undefined ? { why: UNREADABLE } : await renderPrompt(activity, input, { workflowId, runId });
  const isKnown = 'prompt' in rendered;
  const asWritten = `As version ${packageVersion()} would write it`;
  const reply = result === undefined ? undefined : replyIn(result);
  const usage = failure ? failure.tokenUsage : reportedUsage(result);
  return {
    ...identityOf(call),
    source: isKnown ? 'rendered' : 'none',
    note: why + (isKnown ? `${asWritten}${rendered.note === undefined ? '' : `, ${rendered.note}`}.` : rendered.why),
    ...(isKnown && { prompt: rendered.prompt }),
    ...(reply && { reply }),
    ...(result !== undefined && !reply && { result: readIn(result) }),
    ...(failure && { failure: { type: failure.type, message: failure.message } }),
    ...(attempt !== undefined && { attempt }),
    ...(startedAt !== undefined && { startedAt: new Date(startedAt).toISOString() }),
    ...(startedAt !== undefined && endedAt !== undefined && { ms: endedAt - startedAt }),
    ...(usage && { tokenUsage: usage }),
  };
}

/** Returns a call as it was kept; as it is written again where nothing was kept, or where that cannot be read. */
async function shownCalls(call: PlacedCall, values: ValueStorage | undefined): Promise<ModelCall[]> {
  if (call.prompts === undefined) return [await renderedCall(call)];
  try {
    if (!values) throw new TypeError('this command has no storage (REFLECT_STORAGE)');
    return await keptCalls(call, values);
  } catch (error) {
    return [await renderedCall(call, `What was kept cannot be read: ${messageOf(error)} `)];
  }
}

/**
 * Reads the model calls of a run, in their order, from its history and those of its chain; runs that it started, by their ids,
 * follow. Needs no worker.
 *
 * @throws RunNotFoundError
 */
export async function* modelCalls(
  client: ReflectionClient,
  { workflowId, version }: PromptsAsked,
): AsyncGenerator<ModelCall | { child: string }> {
  const chain = await chainOf(client, { method: METHOD, run: workflowId }, {});
  const { loadedDataConverter, namespace } = client.temporal.options;
  const values = valueStorageOf(loadedDataConverter, () => namespace);
  let number = 0;
  const found = recordedCalls(client, { workflowId, chain, method: METHOD }, PROMPTING_ACTIVITIES, {});
  for await (const call of found) {
    if ('child' in call) {
      yield call;
      continue;
    }
    if (call.input !== undefined && !asksModel(call.activity, call.input)) continue;
    number += 1;
    if (version === undefined || iterationOf(call) === version)
      yield* await shownCalls({ ...call, number, workflowId }, values);
  }
}

export async function readModelCalls(client: ReflectionClient, workflowId: string): Promise<ModelCall[]> {
  const calls: ModelCall[] = [];
  for await (const call of modelCalls(client, { workflowId })) if (!('child' in call)) calls.push(call);
  return calls;
}
