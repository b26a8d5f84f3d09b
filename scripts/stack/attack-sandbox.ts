import { type Engine, PROJECT } from './engine';
import { imageNames } from './images';
import type { Stack } from './stack';

/** What docker-compose.yml gives a worker: no more may be needed, and no more is given. */
const CONFINED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];

const JEST = ['node_modules/jest/bin/jest.js', '--selectProjects', 'sandbox', '--cacheDirectory', '/tmp/jest', '--ci'];

/** Makes every attack on the sandbox inside of the worker's image, with the code of this checkout. */
export async function attackSandbox(engine: Engine): Promise<void> {
  const place = ['--volume', `${PROJECT}:/project:ro`, '--workdir', '/project', '--entrypoint', 'node'];
  const image = imageNames()['durable-reflection']!;
  await engine.podman(['run', '--rm', '--init', ...CONFINED, ...place, `localhost/${image}`, ...JEST]);
}

/** @throws Error unless a worker says that it has the level at which the attacks were made */
export async function assertSandboxLevel({ engine, compose }: Stack): Promise<void> {
  const said = await engine.logs(compose.container('worker'));
  if (/this machine gives namespaces, system calls filtered, host name/.test(said)) return;
  throw new Error(`a worker has not the sandbox that it should have:\n${said}`);
}
