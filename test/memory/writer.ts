import { openMemory } from '../../src/memory';

// Writes one insight after the other, each twice as after a lost answer, and says which one is there.
const memory = openMemory({ folder: process.argv[2]! });

async function main(): Promise<void> {
  for (let index = 1; ; index += 1) {
    const insight = {
      text: `lesson ${index}`,
      agent: 'ada',
      importance: 0.5,
      type: 'loop',
      source: 'reflection',
      createdAt: new Date(0).toISOString(),
      provenance: { workflowId: 'w', run: 'r', iteration: index, kind: 'lesson' },
    };
    await memory.store('t', [insight]);
    await memory.store('t', [insight]);
    process.stdout.write(`${index}\n`);
  }
}

void main();
