import { eventually } from './eventually';
import type { LoopWorld } from './loop-world';

/** Statuses of what a person and a stranger do with the pages of one run. */
export interface ReviewOnce {
  list: number;
  page: number;
  foreign: number;
  accepted: number;
  location: string | null;
  people: [name: string, by: string | undefined][];
}

/** Starts a run that waits, looks at its page below `/review` of a service, and accepts its version by the page's form. */
export async function reviewOnce(
  { client }: LoopWorld,
  origin: string,
  headers: Record<string, string> = {},
): Promise<ReviewOnce> {
  const { workflowId } = await client.start({
    task: 'Write.',
    generator: { action: 'llm.call', prompt: '{{ task }}' },
    evaluator: { type: 'regex', pattern: 'never' },
    maxIterations: 1,
    review: { when: 'on_exhausted', timeout: '60s' },
  });
  await eventually(
    () => client.progress(workflowId),
    ({ phase }) => phase === 'waiting',
  );
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${origin}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
    });
  const list = await ask('/review/');
  const page = await ask(`/review/runs/${workflowId}`);
  const form = (await page.text()).split('<form').find((each) => each.includes('value="accept"')) ?? '';
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name, value]): [string, string] => [name!, value!],
  );
  const send = (from: string): Promise<Response> =>
    ask(`/review/runs/${workflowId}`, { method: 'POST', headers: { origin: from }, body: new URLSearchParams(fields) });
  const foreign = await send('https://evil.example');
  const accepted = await send(origin);
  const { history } = await client.result(workflowId);
  return {
    list: list.status,
    page: page.status,
    foreign: foreign.status,
    accepted: accepted.status,
    location: accepted.headers.get('location')?.replace(workflowId, 'ID') ?? null,
    people: history.people.map(({ name, by }) => [name, by]),
  };
}

/** The outcome where all of it works. */
export const REVIEWED: ReviewOnce = {
  list: 200,
  page: 200,
  foreign: 403,
  accepted: 303,
  location: '/review/runs/ID',
  people: [['accept', 'Ada']],
};
