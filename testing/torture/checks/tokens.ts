import type { ReflectionResult } from '../../../src/loop/contract/results';
import type { ChainRecord, SendRecord, TortureRecord } from '../record';
import { activitiesOf, activityKey, finished, inOrder } from './chain';
import type { Violation } from './violation';

interface Sum {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  modelCalls: number;
}

function sumOf(sends: readonly SendRecord[]): Sum {
  const sum: Sum = { promptTokens: 0, completionTokens: 0, totalTokens: 0, modelCalls: 0 };
  for (const { usage } of sends) {
    sum.promptTokens += usage?.prompt_tokens ?? 0;
    sum.completionTokens += usage?.completion_tokens ?? 0;
    sum.totalTokens += usage?.total_tokens ?? 0;
    sum.modelCalls += 1;
  }
  return sum;
}

function asText({ promptTokens, completionTokens, totalTokens, modelCalls }: Sum): string {
  return `${promptTokens} + ${completionTokens} = ${totalTokens} tokens of ${modelCalls} calls`;
}

/** Event of the last run after which an answer may go unused, because a person had ended the run. */
function steeredFrom(chain: ChainRecord, result: ReflectionResult): number {
  const applied = new Set(
    result.history.people.filter((entry) => entry.applied).map(({ payload }) => (payload as { id?: string }).id),
  );
  const arrivals = inOrder(chain).at(-1)?.arrivals ?? [];
  return Math.min(Infinity, ...arrivals.filter(({ id }) => applied.has(id)).map(({ eventId }) => eventId));
}

/** The request whose answer an attempt of an activity had: its own, or the one that began the response it asked for. */
function answersOf({ sends, asked }: TortureRecord): (key: string, attempt: number) => SendRecord | undefined {
  const own = new Map(sends.map((send) => [`${activityKey(send)}/${send.attempt}`, send]));
  const began = new Map(sends.map((send) => [send.response, send]));
  const pickedUp = new Map(asked.map((one) => [`${activityKey(one)}/${one.attempt}`, began.get(one.response)]));
  return (key, attempt) => own.get(`${key}/${attempt}`) ?? pickedUp.get(`${key}/${attempt}`);
}

/** What a result says was spent is what the ledger has for the answers that histories have. */
export function checkTokens(record: TortureRecord): Violation[] {
  const answerOf = answersOf(record);
  return finished(record).flatMap(({ chain, result }): Violation[] => {
    const last = inOrder(chain).at(-1)!.runId;
    const recorded = activitiesOf(chain).filter(({ outcome }) => outcome === 'completed');
    const counted = (activities: typeof recorded): SendRecord[] =>
      activities
        .map((activity) => answerOf(activityKey(activity), activity.attempt ?? 1))
        .filter((send) => send !== undefined)
        .filter(({ counted: isCounted }) => isCounted);
    const from = steeredFrom(chain, result);
    const used = recorded.filter(({ runId, eventId }) => runId !== last || eventId! < from);
    const said = asText(result.tokenUsage);
    const possible = [...new Set([counted(recorded), counted(used)].map((each) => asText(sumOf(each))))];
    if (possible.includes(said)) return [];
    const message = `it says ${said}; the ledger has ${possible.join(', or ')}`;
    return [{ invariant: 'tokens', where: chain.workflowId, message }];
  });
}
