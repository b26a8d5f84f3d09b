import { tmpdir } from 'node:os';
import path from 'node:path';
import { schemaFolderOf } from '../../src/worker/worker-services';

const root = tmpdir();

test.each<[string, Parameters<typeof schemaFolderOf>, ReturnType<typeof schemaFolderOf>]>([
  ['nothing', [{}, {}], undefined],
  ['a folder', [{ schemaRoot: root }, {}], { root }],
  ['a folder of the environment', [{}, { REFLECT_SCHEMA_ROOT: root }], { root }],
  [
    'an address without a slash at its end',
    [{ schemaRoot: root, schemaAddress: 'https://example.com/schemas' }, {}],
    { root, address: 'https://example.com/schemas/' },
  ],
  [
    'an address of the environment',
    [{}, { REFLECT_SCHEMA_ROOT: root, REFLECT_SCHEMA_ADDRESS: 'HTTP://Example.com:80/a/../b/' }],
    { root, address: 'http://example.com/b/' },
  ],
])('the folder of schema files, by %s', (_name, [options, env], folder) => {
  expect(schemaFolderOf(options, env)).toEqual(folder);
});

test.each([
  [{ schemaRoot: path.join(root, 'nowhere', 'at-all') }, /is no folder/],
  [{ schemaAddress: 'https://example.com/' }, /needs a schema root/],
  [{ schemaRoot: root, schemaAddress: 'example.com' }, /must be like https:/],
  [{ schemaRoot: root, schemaAddress: 'https://example.com/?a' }, /must be like https:/],
  [{ schemaRoot: root, schemaAddress: 'urn:example:schemas' }, /must be like https:/],
])('a worker with %j does not start', (options, message) => {
  expect(() => schemaFolderOf(options, {})).toThrow(message);
});
