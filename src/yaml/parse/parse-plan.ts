import { isJsonObject, type Json } from '../../domain/base/json';
import type { PlanSpec } from '../../domain/plan/plan-spec';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { parsePlanSpec } from '../../schemas';
import { placeQualityCriteria } from '../forms/quality-criteria';
import type { ReadDocument } from '../read-document';
import type { FileProblem, RunFile } from '../spec-file-error';
import { placeTriggers, TRIGGERS_MESSAGE } from '../forms/trigger-names';

/** A goal, and how it is to be reached, that was read from a file. */
export type PlanFile = RunFile<'plan', PlanSpec>;

/** The id of a plan that its file gives none. */
const FIRST_PLAN = 'plan-1';

interface Placed {
  value: Json;
  /** The JSON Pointer in the file of a JSON Pointer in what it was made into. */
  inFile(path: string): string;
}

/** A task whose loop is in the words of the wire. */
function placeTask(task: Json): Placed {
  const step = isJsonObject(task) ? task['step'] : undefined;
  if (!isJsonObject(task) || !isJsonObject(step) || !isJsonObject(step['loop'])) {
    return { value: task, inFile: (path) => path };
  }
  const { value: loop, inFile } = placeQualityCriteria(placeTriggers(step['loop']));
  const place = '/step/loop';
  return {
    value: { ...task, step: { ...step, loop } },
    inFile: (path) => (path.startsWith(`${place}/`) ? `${place}${inFile(path.slice(place.length))}` : path),
  };
}

/** A plan as workflows take it. In a file it needs no id. */
function placePlan(value: Json): Placed {
  const plan = isJsonObject(value) ? value['plan'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(plan) || !Array.isArray(plan['tasks'])) {
    return { value, inFile: (path) => path };
  }
  const tasks = plan['tasks'].map(placeTask);
  return {
    value: { ...value, plan: { id: FIRST_PLAN, ...plan, tasks: tasks.map((task) => task.value) } },
    inFile(path) {
      const [, place = '', index = '', inside = ''] = /^(\/plan\/tasks\/(\d+))(\/.*)$/s.exec(path) ?? [];
      return place === '' ? path : `${place}${tasks[Number(index)]!.inFile(inside)}`;
    },
  };
}

/** Takes a document for a plan. */
export function planOf({ value: written, originsOf, problemAt, fail }: ReadDocument, file: string): PlanFile {
  const { value, inFile } = placePlan(written);
  const locate = ({ path, message }: SpecProblem): FileProblem[] =>
    originsOf(inFile(path)).map((origin) =>
      problemAt(origin, path.endsWith('/step/loop/reflectionTriggers') ? TRIGGERS_MESSAGE : message),
    );
  const parsed = parsePlanSpec(value);
  if ('problems' in parsed) return fail('InvalidSpec', parsed.problems.flatMap(locate));
  return { kind: 'plan', file, spec: parsed.spec, locate };
}
