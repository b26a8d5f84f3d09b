import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const BIRD = `
type: object
required: [name]
properties:
  name: { $ref: 'parts.json#/$defs/name' }
`;

describe('schema files of a worker', () => {
  let world: LoopWorld;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'schemas-'));
    await writeFile(join(folder, 'bird.yaml'), BIRD);
    await writeFile(join(folder, 'parts.json'), '{"$defs":{"name":{"type":"string","minLength":3}}}');
    await symlink('/etc/hostname', join(folder, 'outside.yaml'));
    world = await startWorld({ schemaRoot: folder, schemaAddress: 'https://birds.example' });
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true });
  });

  const checking = (schema: object) => ({
    generator: { action: 'validate.schema', with: { data: { name: 'x' }, schema: { $ref: 'bird.yaml' } } },
    evaluator: { type: 'schema' as const, schema: schema as { $ref: string } },
    maxIterations: 1,
  });

  test('a run is judged by a YAML file below the root, and a generator checks by it with validate.schema', async () => {
    const result = await world.client.run(
      checking({ properties: { checked: { $ref: 'bird.yaml' }, valid: { const: false } }, required: ['valid'] }),
    );
    expect(result).toMatchObject({
      success: true,
      finalOutput: {
        valid: false,
        errors: [{ path: '/name', message: 'name: must have at least 3 characters, got 1' }],
      },
    });
    const refused = await world.client.run(checking({ $ref: 'https://birds.example/bird.yaml' }));
    expect(refused).toMatchObject({ success: false, finalEvaluation: { outcome: 'fail' } });
    expect(refused.finalEvaluation!.issues[0]).toMatchObject({ path: '/name', message: 'name: is missing' });
  }, 20_000);

  test('a file that is not there, or not below the root, is InvalidSpec at the place of its reference', async () => {
    const run = world.client.run(
      checking({ properties: { a: { $ref: 'none.yaml' }, b: { $ref: '../x.yaml' }, c: { $ref: 'outside.yaml' } } }),
    );
    await expect(run).rejects.toMatchObject({
      type: 'InvalidSpec',
      problems: expect.arrayContaining(
        ['a', 'b', 'c'].map((name) => expect.objectContaining({ path: `/evaluator/schema/properties/${name}/$ref` })),
      ),
    });
  }, 20_000);
});
