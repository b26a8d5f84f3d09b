import type { BatchPreparation } from '../../kinds/batch/state/batch';
import { loopOf } from '../../kinds/batch/state/page-state';
import { isJsonObject, type JsonObject } from '../../lib/json/json';
import { asKnown } from '../../loop/spec/checked-before';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { parseBatch } from '../../kinds/batch/parse/batch';
import { settingsOf } from '../../loop/parse/settings';
import { specParts } from '../../loop/parse/spec';
import type { PrepareDependencies } from '../dependencies';
import { attemptCheck, mistakesAt, refuse } from '../prepare/checks';
import { demandSandbox } from '../prepare/demand-sandbox';
import { learnNeeds } from '../prepare/learned';
import { type LookedUp, noteLookups } from '../prepare/looked-up';
import { problemsOf } from '../prepare/prepare';
import type { MovedPart } from '../../loop/spec/short-form';

interface BatchActivities {
  /** Local. Validates the batch and its loop; throws `InvalidSpec`, `UnknownAction` or `UnknownModel`. */
  prepareBatch(input: { spec: unknown; moved?: MovedPart[] }): Promise<BatchPreparation>;
}

declare module '../protocol' {
  interface ReflectionActivities extends BatchActivities {}
}

function firstLoop(given: JsonObject): JsonObject {
  const { loop, first, budget } = given;
  if (!isJsonObject(loop)) return {};
  const whole = isJsonObject(first) ? loopOf(loop as unknown as ReflectionSpec, { state: first }) : loop;
  const usd = isJsonObject(budget) ? budget['usd'] : undefined;
  return (usd === undefined ? whole : { ...whole, budget: { ...(whole.budget as object), usd } }) as JsonObject;
}

async function checkBatch(
  value: unknown,
  dependencies: PrepareDependencies & { lookedUp: LookedUp },
): Promise<Omit<BatchPreparation, 'searchAttributes'>> {
  const parsed = parseBatch(value);
  const given = isJsonObject(value) ? value : {};
  const loop = firstLoop(given);
  const problems = [
    ...('problems' in parsed ? parsed.problems : []),
    ...(isJsonObject(given['loop']) ? await mistakesAt('/loop', () => problemsOf(specParts(loop), dependencies)) : []),
  ];
  if ('problems' in parsed || problems.length > 0) throw refuse(problems, dependencies);
  await demandSandbox([parsed.spec.loop], dependencies.sandbox);
  const settings = settingsOf(parsed.spec.loop);
  const { maximumOutputBytes, storedFromBytes } = dependencies;
  return {
    ...asKnown(dependencies.lookedUp.found),
    retryForMs: settings.timeouts.retryForMs,
    maximumOutputBytes,
    storedFromBytes,
    ...(settings.review && { notify: dependencies.notify !== undefined && {} }),
  };
}

export function batchActivities(dependencies: PrepareDependencies): BatchActivities {
  return {
    async prepareBatch({ spec, moved }) {
      const preparation = await attemptCheck(async () => {
        const here = { ...(await learnNeeds(spec, dependencies)), moved };
        return checkBatch(spec, noteLookups(here));
      });
      return { ...preparation, searchAttributes: await dependencies.searchAttributes() };
    },
  };
}
