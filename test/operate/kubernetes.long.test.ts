import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { DEFAULT_TASK_QUEUE, modelQueue } from '../../src/domain/base/names/task-queues';
import { type Manifest, manifestProblems } from '../../testing/operate/kubernetes-schemas';

const FOLDER = 'deploy/kubernetes';
const DOCS = readFileSync('docs/kubernetes.md', 'utf8');
const VARIABLES = readFileSync('docs/reference/environment.md', 'utf8');

interface Kustomization {
  resources: string[];
  images?: { newTag: string }[];
  configurations?: string[];
}
interface Container {
  ports: { name: string; containerPort: number }[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[];
  startupProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
  readinessProbe: { httpGet: { path: string } };
}
interface Scaled extends Manifest {
  spec: { triggers: { metadata: Record<string, string> }[] };
}
interface Deployment extends Manifest {
  spec: { template: { spec: { terminationGracePeriodSeconds: number; containers: [Container] } } };
}

const folders = readdirSync(FOLDER);
const kustomizations = folders.map((folder) => {
  const read = parse(readFileSync(path.join(FOLDER, folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  return [folder, read] as const;
});
const files = kustomizations.flatMap(([folder, { resources }]) =>
  resources.filter((name) => name.endsWith('.yaml')).map((name) => path.join(FOLDER, folder, name)),
);
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => [file, document.toJS() as Manifest] as const),
);
const only = (kind: string): Manifest => manifests.find(([, each]) => each.kind === kind)![1];

describe('the manifests of deploy/kubernetes', () => {
  let problems: Awaited<ReturnType<typeof manifestProblems>>;
  beforeAll(async () => {
    problems = await manifestProblems();
  }, 240_000);

  test('every object is valid, and every file is used', () => {
    expect(manifests.map(([, { kind }]) => kind).toSorted()).toEqual([
      'ConfigMap',
      'CronJob',
      'Deployment',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'ScaledObject',
      'ServiceAccount',
    ]);
    expect(manifests.map(([file, manifest]) => [file, problems(manifest)])).toEqual(
      manifests.map(([file]) => [file, []]),
    );
    const named = kustomizations.flatMap(([folder, { resources, configurations = [] }]) =>
      ['kustomization.yaml', ...resources, ...configurations].map((name) => path.join(FOLDER, folder, name)),
    );
    const there = folders.flatMap((folder) =>
      readdirSync(path.join(FOLDER, folder)).map((name) => path.join(FOLDER, folder, name)),
    );
    expect(there.filter((file) => !named.includes(file))).toEqual([]);
  });

  test('mistakes are seen: an unknown field, a wrong type, what is missing, and a kind that there is none of', () => {
    const deployment = only('Deployment') as Deployment;
    const spec = { ...deployment.spec, replica: 2 };
    expect(problems({ ...deployment, spec } as Manifest)).toEqual([expect.stringContaining('additional properties')]);
    expect(problems({ ...deployment, spec: { ...deployment.spec, replicas: 'two' } } as Manifest)).not.toEqual([]);
    expect(
      problems({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: {} } as Manifest),
    ).toEqual(expect.arrayContaining([expect.stringContaining("required property 'selector'")]));
    expect(problems({ ...deployment, apiVersion: 'apps/v9' })).toEqual(['Kubernetes has no apps/v9 Deployment']);
    const scaled = only('ScaledObject') as Manifest & { spec: object };
    expect(problems({ ...scaled, spec: { ...scaled.spec, triggers: [{}] } } as Manifest)).not.toEqual([]);
  });

  test('they say what the worker, its image and the docs say', () => {
    const { terminationGracePeriodSeconds, containers } = (only('Deployment') as Deployment).spec.template.spec;
    const [container] = containers;
    const settings = (only('ConfigMap') as Manifest & { data: Record<string, string> }).data;
    expect(terminationGracePeriodSeconds).toBe(Number.parseInt(settings['REFLECT_DRAIN']!, 10) + 15);
    for (const name of [...Object.keys(settings), ...container.env.map((each) => each.name)])
      expect(VARIABLES).toContain(`\`${name}\``);
    for (const { name, value, valueFrom } of container.env) {
      expect([name, value]).toEqual([name, undefined]);
      expect(DOCS).toContain(`\`${valueFrom!.secretKeyRef.key}\``);
    }
    const { startupProbe, livenessProbe, readinessProbe, ports } = container;
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ]);
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    expect(dockerfile).toContain(`REFLECT_HTTP_PORT=${ports[0]!.containerPort}`);
    const { triggers } = (only('ScaledObject') as Scaled).spec;
    expect(triggers.map(({ metadata }) => metadata['taskQueue'])).toEqual([
      DEFAULT_TASK_QUEUE,
      modelQueue(DEFAULT_TASK_QUEUE),
    ]);
    for (const { metadata } of triggers) {
      expect(metadata['endpoint']).toBe(settings['TEMPORAL_ADDRESS']);
      expect(metadata['namespace']).toBe(settings['TEMPORAL_NAMESPACE']);
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(Object.fromEntries(kustomizations)['workers']!.images![0]!.newTag).toBe(version);
  });
});
