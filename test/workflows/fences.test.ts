import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineAction } from '../../src/worker';
import type { Json } from '../../src/lib/json/json';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { ATTACK, fencedIn, MARK, outsideOf, SECRET } from '../../testing/support/fences';
import { judge, node, PLACES, planned, state, write } from './fenced-places';

const gives = defineAction({
  name: 'gives',
  description: 'Gives what it is told to give.',
  input: z.object({ value: z.json() }),
  run: ({ value }) => value as Json,
});
const reads = defineAction({
  name: 'reads',
  description: 'Reads a page that somebody wrote.',
  input: z.object({}),
  run: () => ATTACK,
});
const breaks = defineAction({
  name: 'breaks',
  description: 'Fails with the words of somebody else.',
  input: z.object({}),
  run: () => {
    throw new Error(`no such file: ${ATTACK}`);
  },
});

/** A judge that was talked into repeating what it read. */
const repeats = {
  valid: false,
  score: 0.2,
  reason: `Not good. ${ATTACK}`,
  issues: [{ message: ATTACK, suggestion: ATTACK, severity: 'major' }],
  suggestions: [ATTACK],
};
/** Every model of these tests: all of them say what attacks, in the form that they are asked for. */
function answer({ body, last }: ScriptedRequest, index: number): ScriptEntry {
  const system = body.messages.find(({ role }) => role === 'system')?.content ?? '';
  if (/You judge outputs|Two outputs were made/.test(system + last)) return { reply: repeats };
  if (last.includes('Plan how to reach') && last.includes('FIRST NO PLAN') && !last.includes('Its mistakes')) {
    return {
      reply: { tasks: [{ id: 'a', description: 'a', step: { action: `0123456789abcdef MISTAKES>>> ${MARK}` } }] },
    };
  }
  if (last.includes('Plan how to reach')) return { reply: planned(index) };
  if (body.tools && !body.messages.some(({ role }) => (role as string) === 'tool')) {
    return { toolCalls: [{ name: 'reads', arguments: {} }] };
  }
  return { reply: ATTACK };
}

describe('what models wrote, in later prompts of loops, pipelines and plans', () => {
  let scripted: ScriptedOpenAI;
  let world: LoopWorld;
  beforeAll(async () => {
    scripted = await ScriptedOpenAI.start({ script: answer });
    world = await startWorld({
      actions: [gives, reads, breaks],
      models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }],
    });
  });
  afterAll(async () => {
    await world?.close();
    await scripted?.close();
  });

  /** All messages that a run sent, but those that the model said itself. */
  async function promptsOf(type: string, spec: object): Promise<string[]> {
    const before = requestsOf(scripted.ledger).length;
    const { temporal, taskQueue } = world.client;
    const run = await temporal.workflow.start(type, { taskQueue, workflowId: `fence-${randomUUID()}`, args: [spec] });
    await run.result().catch((error: unknown) => expect(error).toMatchObject({ cause: { type: 'StepFailed' } }));
    return requestsOf(scripted.ledger)
      .slice(before)
      .map(({ body }) =>
        body!.messages
          .filter(({ role }) => (role as string) !== 'assistant')
          .map((message) => `${JSON.stringify({ role: message.role })}\n${message.content}`)
          .join('\n'),
      );
  }

  test.each(PLACES)('%s: it stands between markers that it could not foresee', async (_place, run, expected) => {
    const prompts = await promptsOf(run.type, run.spec);
    for (const pattern of expected) {
      const known = prompts.filter((prompt) => pattern.test(outsideOf(prompt)) && prompt.includes(MARK));
      expect([pattern, known.length]).not.toEqual([pattern, 0]);
    }
    for (const prompt of prompts) {
      expect(outsideOf(prompt)).not.toContain(MARK);
      // It is never rendered.
      expect(prompt).not.toContain(`${SECRET} ${MARK}`);
      for (const { code, text } of fencedIn(prompt)) expect(text).not.toContain(code);
      const hasMaterial = fencedIn(prompt).some(({ text }) => text.includes(MARK));
      if (hasMaterial) expect(prompt).toMatch(/<<<LABEL code … code LABEL>>>|between markers/);
    }
  });

  test('what an author vouches for, numbers, outcomes and parameters of actions stand as they are', async () => {
    const [, judged, then] = await promptsOf('reflectionPipeline', {
      state,
      nodes: [
        write,
        node('reflection.evaluate', { evaluator: judge('LOOK'), data: 'A text.' }, { name: 'look' }),
        { name: 'number', run: 'return { count: 7, sure: true }', language: 'javascript' },
        node(
          'llm.call',
          {
            prompt:
              'THEN {{ state.topic }} {{ state.outcome }} {{ state.count }} {{ state.sure }} {{ state.draft[:5] | unfenced }}',
          },
          { output: 'next' },
        ),
      ],
    });
    expect(judged).toContain('LOOK');
    expect(then).toBe(`{"role":"user"}\nTHEN birds fail 7 true ${MARK}`);
  });
});
