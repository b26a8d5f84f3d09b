import type { Scenario, Stage } from '../scenario';

const agents = [
  { id: 'owner', type: 'household_owner' },
  { id: 'town', type: 'government' },
  { id: 'insurer', type: 'insurance' },
];
const populated = { type: 'agentReflection', ends: 'completed' } as const;

const flood = (id: string, year: number, agentId?: string) => ({
  id,
  kind: 'crisis' as const,
  year,
  ...(agentId === undefined ? {} : { agentId }),
  context: { description: 'the river rose' },
});

/** Tells a population of events, waits for each answer, and ends it. */
const lives =
  (...events: object[]) =>
  async ({ handle }: Stage): Promise<void> => {
    for (const event of events) await handle.executeUpdate('trigger', { args: [event] });
    await handle.signal('finish');
  };

/** Populations whose agents reflect. */
export const population: Scenario[] = [
  {
    ...populated,
    name: 'agents-template',
    spec: { agents, config: { reflection: { method: 'template' } } },
    async meanwhile({ handle, ...stage }) {
      // What is wrong or comes again changes nothing.
      await handle.executeUpdate('trigger', { args: [{ kind: 'crisis' }] }).catch(() => undefined);
      await handle.signal('trigger', flood('one', 1));
      await lives(flood('one', 1), { kind: 'periodic', year: 5 }, { kind: 'periodic', year: 6 })({ handle, ...stage });
    },
  },
  {
    ...populated,
    name: 'agents-hybrid',
    spec: {
      agents,
      model: 'agents-hybrid',
      budget: { modelCalls: 2 },
      config: { reflection: { method: 'hybrid', batchSize: 1 } },
    },
    script: [{ reply: 'Raise the house.' }, { status: 400 }, { reply: 'Mind the premiums.' }],
    meanwhile: lives(flood('one', 1), flood('two', 2)),
  },
  {
    ...populated,
    name: 'agents-critics',
    spec: {
      agents,
      model: 'agents-critics',
      config: { reflection: { method: 'llm', batchSize: 2, critics: ['thrift'] } },
    },
    script: [
      { reply: 'Save.' },
      { reply: 'I save.' },
      // The third agent's critic fails, and so it does not reflect.
      { status: 401 },
    ],
    meanwhile: lives(flood('one', 1, 'owner'), flood('two', 2, 'insurer')),
  },
  {
    // Two may ask the model; of those, one fails: it and the third go by template.
    ...populated,
    world: 'remembering',
    name: 'agents-remembering',
    spec: {
      agents,
      model: 'agents-remembering',
      budget: { modelCalls: 2 },
      config: { reflection: { method: 'hybrid', batchSize: 3 } },
    },
    script: [{ reply: 'Raise the house.' }, { status: 400 }],
    meanwhile: lives(flood('one', 1)),
  },
  {
    ...populated,
    name: 'agents-chain',
    spec: {
      agents: Array.from({ length: 250 }, (_, index) => ({ id: `h${index}`, type: 'household' })),
      memory: { topK: 0 },
      config: { reflection: { method: 'template' } },
    },
    async meanwhile({ handle }) {
      for (let year = 1; year <= 22; year += 1) await handle.signal('trigger', { kind: 'crisis', year });
      await handle.signal('finish');
    },
  },
  { ...populated, name: 'agents-invalid', ends: 'InvalidSpec', spec: { agents: [{ id: 'a' }] } },
];
