import { isJsonObject, type Json } from '../../../src/lib/json/json';
import { withValueAt } from '../../../testing/models/checks/values';
import { checked } from '../../../testing/models/bench/check';
import { closeSandbox } from '../../../testing/models/checks/code';
import { promptOf, type Task, TASK_KINDS } from '../../../testing/models/task';
import { allTasks } from '../../../testing/models/tasks';

const tasks = allTasks();
const named = tasks.map((task): [string, Task] => [task.id, task]);

afterAll(closeSandbox);

/** Every place of a value that holds no further values, with something else there. */
function changes(value: Json, path = ''): [pointer: string, other: Json][] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, index) => changes(each, `${path}/${index}`));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, each]) => changes(each, `${path}/${name}`));
  if (typeof value === 'number') return [[path, value + 1]];
  if (typeof value === 'boolean') return [[path, !value]];
  if (typeof value === 'string') return [[path, `${value} else`]];
  return [[path, Array.isArray(value) ? ['somebody'] : 'invented']];
}

test('there are enough tasks of each kind, and no two have a name or a prompt in common', () => {
  const count = (kind: string): number => tasks.filter((task) => task.kind === kind).length;
  expect(TASK_KINDS.map((kind) => [kind, count(kind)])).toEqual([
    ['extraction', 24],
    ['rewriting', 12],
    ['code', 12],
    ['summary', 12],
  ]);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(60);
  expect(new Set(tasks.map(promptOf)).size).toBe(60);
});

test.each(named)('%s: what is right is accepted, by the check and by the truth', async (_id, task) => {
  const { valid, issues, value } = await checked(task, task.samples.right);
  expect({ valid, issues, problems: await task.truth(value) }).toEqual({ valid: true, issues: [], problems: [] });
});

test.each(named)('%s: the truth refuses what is wrong, some of which the check lets pass', async (_id, task) => {
  expect(task.samples.wrong.length).toBeGreaterThanOrEqual(3);
  let passed = 0;
  for (const wrong of task.samples.wrong) {
    // Each piece of code costs a process.
    const { valid, value } =
      task.kind === 'code' && passed > 0 ? { valid: false, value: wrong } : await checked(task, wrong);
    passed += Number(valid);
    expect({ wrong, problems: await task.truth(value) }).toEqual({
      wrong,
      problems: expect.arrayContaining([expect.any(String)]),
    });
  }
  expect(passed).toBeGreaterThan(0);
  for (const nothing of task.kind === 'code' ? ['I have no answer.'] : ['', 'I have no answer.', '{}']) {
    const { valid, value } = await checked(task, nothing);
    expect({ nothing, valid }).toEqual({ nothing, valid: false });
    expect(await task.truth(value)).not.toEqual([]);
  }
});

test('the truth of an extraction refuses any other value in any place, and one that is missing or added', async () => {
  const extractions = tasks.filter(({ kind }) => kind === 'extraction');
  let refused = 0;
  for (const task of extractions) {
    const right = JSON.parse(task.samples.right) as Record<string, Json>;
    for (const [pointer, other] of changes(right)) {
      // Its words are free.
      if (pointer.endsWith('/title')) continue;
      const problems = await task.truth(withValueAt(right, pointer, other));
      expect({ task: task.id, pointer, refused: problems.length > 0 }).toMatchObject({ refused: true });
      refused += 1;
    }
    const { [Object.keys(right)[0]!]: _gone, ...rest } = right;
    expect(await task.truth(rest)).not.toEqual([]);
    expect(await task.truth({ ...right, invented: null })).not.toEqual([]);
  }
  expect(refused).toBeGreaterThan(200);
});

test('the truth of an extraction takes another order of lists and keys, other case, and a free title', async () => {
  const calendar = tasks.find(({ id }) => id === 'extraction-calendar-2')!;
  const { events } = JSON.parse(calendar.samples.right) as { events: Record<string, Json>[] };
  const other = events.map((event) => ({
    ...Object.fromEntries(Object.entries(event).reverse()),
    title: 'an appointment',
    place: typeof event['place'] === 'string' ? `The ${event['place'].toUpperCase()}` : null,
  }));
  expect(await calendar.truth({ events: other.reverse() })).toEqual([]);
});

test('sources of summaries are long, and extractions have their values from the text', () => {
  for (const { id, kind, source, samples } of tasks) {
    const words = source.split(/\s+/).length;
    if (kind === 'summary') expect({ id, long: words >= 600 && words <= 1_500 }).toEqual({ id, long: true });
    if (kind !== 'extraction') continue;
    const letters = source.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');
    for (const [pointer, value] of leaves(JSON.parse(samples.right) as Json)) {
      if (!/name|customer|sku|supplier|buyer|email|iban|company|city|people|number|place/.test(pointer)) continue;
      const wanted = String(value)
        .toLowerCase()
        .replaceAll(/[^\p{L}\d]/gu, '');
      expect({ id, pointer, wanted, found: letters.includes(wanted) }).toMatchObject({ found: true });
    }
  }
});

function leaves(value: Json): [pointer: string, value: Json][] {
  return changes(value).flatMap(([pointer]) => {
    const segments = pointer.split('/').slice(1);
    const found = segments.reduce<Json>((inner, segment) => (inner as Record<string, Json>)[segment]!, value);
    return typeof found === 'string' ? [[pointer, found] as [string, Json]] : [];
  });
}
