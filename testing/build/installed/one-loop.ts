const IMPORTS = {
  'durable-reflection': 'ReflectionClient',
  'durable-reflection/testing': 'ScriptedOpenAI',
  'durable-reflection/worker': 'createWorker',
};

/** A program that runs a loop of two versions on a worker of its own, and prints what came of it. */
function oneLoop(imported: (name: string, from: string) => string): string {
  const lines = Object.entries(IMPORTS).map(([from, name]) => imported(name, from));
  return `${lines.join('\n')}

async function main() {
  const model = await ScriptedOpenAI.start({ script: [{ reply: 'Hello' }, { reply: { greeting: 'Hello' } }] });
  const models = [{ name: 'scripted', model: 'scripted', baseUrl: model.baseUrl }];
  const worker = await createWorker({ models, drainMs: 0 });
  const working = worker.run();
  const client = await ReflectionClient.connect();
  const step = { action: 'llm.call', prompt: 'Greet.' };
  const evaluator = { type: 'schema', schema: { type: 'object', required: ['greeting'] } };
  const { success, iterationsUsed, finalOutput } = await client.run({ generator: step, corrector: step, evaluator });
  await client.close();
  worker.shutdown();
  await working;
  await model.close();
  const node = Number.parseInt(process.versions.node, 10);
  console.log(JSON.stringify({ node, success, iterationsUsed, finalOutput }));
}

main();
`;
}

/** The program as an ES module and in CommonJS, by the names of their files. */
export const ONE_LOOP = {
  'loop.mjs': oneLoop((name, from) => `import { ${name} } from '${from}';`),
  'loop.cjs': oneLoop((name, from) => `const { ${name} } = require('${from}');`),
};
