import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../src/apps/server/ports';
import { eventually } from '../support/eventually';
import { addLoop, writeExistingWorker } from './existing-worker';
import { findPython, type FreshMachine, isInstalled } from './fresh-machine';

/** Does a step with the clock on. */
export type Timed = <Result>(step: string, work: () => Promise<Result> | Result) => Promise<Result>;

/** What somebody does in their first minutes, as the pages say it. */
export interface Trial {
  name: string;
  /** The time within which it must be done. */
  mostSeconds: number;
  /** Returns the program without which it cannot be done here. */
  missing?(): string | undefined;
  /** Does what somebody has done before they begin, without the clock. */
  prepare?(machine: FreshMachine): Promise<void>;
  run(machine: FreshMachine, timed: Timed): Promise<void>;
}

/** The project that `init` writes; its server and its worker with scripted replies serve the trials after it. */
const PROJECT = 'contact-cards';
const PACKAGE = path.join(PROJECT, 'node_modules', 'durable-reflection');
export const TARBALL = 'durable-reflection.tgz';
/** What a client prints, once it accepted the draft that the scripted judge rejected. */
const ACCEPTED = /"user_accepted"/;

function expectText(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${pattern} is not in what came:\n${text.slice(-2_000)}`);
}

const init: Trial = {
  name: 'init to a first result',
  mostSeconds: 70,
  async run(machine, timed) {
    await timed('npx TARBALL init', () => machine.run('npx', ['--yes', `./${TARBALL}`, 'init', PROJECT]));
    await timed('npm install', () => machine.run('npm', ['install'], PROJECT));
    const [port, uiPort] = [await freePort(), await freePort()];
    const server = ['reflect', 'server', '--port', `${port}`, '--ui-port', `${uiPort}`, '--json'];
    await timed('reflect server', () => machine.start('npx', server, /"address"/, PROJECT));
    machine.set({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    const worker = ['run', 'worker', '--', '--scripted'];
    await timed('npm run worker', () => machine.start('npm', worker, /Serves the task queue/, PROJECT));
    const said = await timed('npm run client', () => machine.run('npm', ['run', 'client'], PROJECT));
    expectText(said, /Ended with quality_met after 2 versions/);
  },
};

const existing: Trial = {
  name: 'a loop in an existing worker',
  mostSeconds: 5 * 60,
  async prepare(machine) {
    writeExistingWorker(path.join(machine.folder, 'existing'));
    await machine.run('npm', ['install'], 'existing');
    await machine.run('npm', ['run', 'build'], 'existing');
  },
  async run(machine, timed) {
    await timed('npm install TARBALL', () => machine.run('npm', ['install', `../${TARBALL}`], 'existing'));
    await timed('edit', () => addLoop(path.join(machine.folder, 'existing')));
    await timed('npm run build', () => machine.run('npm', ['run', 'build'], 'existing'));
    await timed('worker', () => machine.start('node', ['dist/worker.js'], /Serves loops/, 'existing'));
    const said = await timed('client', () => machine.run('node', ['dist/client.js'], 'existing'));
    expectText(said, /"Dear Ada"/);
  },
};

const service: Trial = {
  name: 'a service with review',
  mostSeconds: 15 * 60,
  async run(machine, timed) {
    await timed('npm install tsx', () => machine.run('npm', ['install', '--save-dev', 'tsx'], PROJECT));
    const folder = path.join(machine.folder, PROJECT, 'service');
    await timed('copy the example', () => {
      mkdirSync(folder);
      cpSync(
        path.join(machine.folder, PACKAGE, 'examples', 'service-with-review.ts'),
        path.join(folder, 'service-with-review.ts'),
      );
      // The project's files are ES modules.
      writeFileSync(path.join(folder, 'package.json'), '{ "type": "commonjs" }');
    });
    const port = await freePort();
    machine.set({ PORT: `${port}`, REVIEWERS: 'robin:secret' });
    const start = ['tsx', 'service/service-with-review.ts'];
    await timed('start the service', () => machine.start('npx', start, /The review page/, PROJECT));
    const origin = `http://127.0.0.1:${port}`;
    const reply = `${origin}/replies/ticket-17`;
    await timed('a run that waits', async () => {
      for (const status of [202, 202]) await put(reply, 'the kettle leaks', status);
      await put(reply, 'another message', 409);
      await eventually(
        async () => (await fetch(reply)).text(),
        (text) => text.includes('"waiting"'),
        60_000,
      );
    });
    await timed('review', async () => {
      await acceptOn(origin, 'ticket-17');
      await eventually(
        async () => (await fetch(reply)).text(),
        (text) => /"completed","success":true,"reply":"/.test(text),
        60_000,
      );
    });
  },
};

async function put(url: string, body: string, expected: number): Promise<void> {
  const { status } = await fetch(url, { method: 'PUT', body });
  if (status !== expected) throw new Error(`PUT ${url}: ${status}, not ${expected}`);
}

/** Accepts the version of a run on its review page, as the form of the page does. */
async function acceptOn(origin: string, id: string): Promise<void> {
  const authorization = `Basic ${Buffer.from('robin:secret').toString('base64')}`;
  const url = `${origin}/review/runs/${id}`;
  const page = await (await fetch(url, { headers: { authorization } })).text();
  const form = page.split('<form').find((part) => part.includes('value="accept"')) ?? '';
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = hidden.map(([, name, value]): [string, string] => [name!, value!]);
  const { status } = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams([...fields, ['command', 'accept']]),
    headers: { authorization, origin },
    redirect: 'manual',
  });
  if (status !== 303) throw new Error(`The review page answered ${status}.`);
}

/** Copies the example of a language and the JSON Schema of specs out of the installed package. */
function copyClient(machine: FreshMachine, language: string): void {
  const [folder, from] = [path.join(machine.folder, language), path.join(machine.folder, PACKAGE)];
  cpSync(path.join(from, 'examples', 'clients', language), folder, { recursive: true });
  mkdirSync(path.join(folder, 'schemas'));
  cpSync(path.join(from, 'dist', 'json-schemas', 'spec.json'), path.join(folder, 'schemas', 'spec.json'));
}

const SCHEMA = path.join('schemas', 'spec.json');

const python: Trial = {
  name: 'a client in Python',
  mostSeconds: 6 * 60,
  missing: () => (findPython() ? undefined : 'python3'),
  async run(machine, timed) {
    copyClient(machine, 'python');
    const run = (program: string, args: string[]) => machine.run(path.join('bin', program), args, 'python');
    await timed('python3 -m venv', () => machine.run(findPython()!, ['-m', 'venv', '.'], 'python'));
    await timed('pip install', () => run('pip', ['install', '--quiet', '-r', 'requirements.txt']));
    expectText(await timed('loop.py', () => run('python', ['loop.py'])), ACCEPTED);
    const generator = ['install', '--quiet', 'datamodel-code-generator'];
    await timed('pip install the generator', () => run('pip', generator));
    const types = ['--input-file-type', 'jsonschema', '--output-model-type', 'pydantic_v2.BaseModel'];
    await timed('datamodel-codegen', () =>
      run('datamodel-codegen', ['--input', SCHEMA, ...types, '--output', 'spec.py']),
    );
    await timed('import the types', () => run('python', ['-c', 'from spec import ReflectionSpec']));
  },
};

const go: Trial = {
  name: 'a client in Go',
  mostSeconds: 6 * 60,
  missing: () => (isInstalled('go', 'version') ? undefined : 'go'),
  async run(machine, timed) {
    copyClient(machine, 'go');
    const run = (program: string, args: string[]) => machine.run(program, args, 'go');
    await timed('go build', () => run('go', ['build', '-o', 'loop', '.']));
    expectText(await timed('loop', () => run('./loop', [])), ACCEPTED);
    await timed('go install the generator', () =>
      run('go', ['install', 'github.com/atombender/go-jsonschema@v0.24.1']),
    );
    const generator = path.join(machine.env['HOME']!, 'go', 'bin', 'go-jsonschema');
    const types = ['--struct-name-from-title', '--only-models', '-p', 'spec', '-o', 'spec/spec.go', SCHEMA];
    await timed('go-jsonschema', async () => {
      mkdirSync(path.join(machine.folder, 'go', 'spec'));
      await run(generator, types);
    });
    await timed('go vet the types', () => run('go', ['vet', './spec']));
  },
};

const java: Trial = {
  name: 'a client in Java',
  mostSeconds: 6 * 60,
  missing: () => ['java', 'mvn'].find((program) => !isInstalled(program, '-version')),
  async run(machine, timed) {
    copyClient(machine, 'java');
    const maven = ['-q', '-B', `-Dmaven.repo.local=${path.join(machine.env['HOME']!, '.m2', 'repository')}`];
    const run = (goals: string[]) => machine.run('mvn', [...maven, ...goals], 'java');
    await timed('mvn compile', () => run(['compile']));
    expectText(await timed('mvn exec:java', () => run(['exec:java'])), ACCEPTED);
    await timed('types by jsonschema2pojo', async () => {
      const page = readFileSync(path.join(machine.folder, PACKAGE, 'docs', 'clients.md'), 'utf8');
      const [plugin] = /<plugin>[^]*?<\/plugin>/.exec(page)!;
      const pom = path.join(machine.folder, 'java', 'pom.xml');
      const added = `<build><plugins>${plugin}</plugins></build></project>`;
      writeFileSync(pom, readFileSync(pom, 'utf8').replace('</project>', added));
      await run(['compile']);
    });
    const types = path.join(machine.folder, 'java', 'target', 'classes', 'reflection', 'ReflectionSpec.class');
    if (!existsSync(types)) throw new Error(`${types} was not made.`);
  },
};

/** The trials, in their order. Those after the first need its server and its worker. */
export const TRIALS: readonly Trial[] = [init, existing, service, python, go, java];
