import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { DEFAULT_TASK_QUEUE, modelQueue } from '../../src/lib/names/task-queues';
import definitions from './kubernetes-1.37.json';

const FOLDER = 'deploy/kubernetes';
const DOCS = readFileSync('docs/kubernetes.md', 'utf8');
const VARIABLES = readFileSync('docs/reference/environment.md', 'utf8');

/** Where the definition of each kind stands in Kubernetes' own document. */
const KINDS: Record<string, string> = {
  'v1 ConfigMap': 'io.k8s.api.core.v1.ConfigMap',
  'v1 ServiceAccount': 'io.k8s.api.core.v1.ServiceAccount',
  'apps/v1 Deployment': 'io.k8s.api.apps.v1.Deployment',
  'batch/v1 CronJob': 'io.k8s.api.batch.v1.CronJob',
  'policy/v1 PodDisruptionBudget': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'networking.k8s.io/v1 NetworkPolicy': 'io.k8s.api.networking.v1.NetworkPolicy',
};

/** KEDA's own object, which is not Kubernetes': the part that we use, with the settings of its Temporal trigger. */
const scaledObject = z.strictObject({
  apiVersion: z.literal('keda.sh/v1alpha1'),
  kind: z.literal('ScaledObject'),
  metadata: z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()) }),
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ name: z.string() }),
    minReplicaCount: z.int().min(2),
    maxReplicaCount: z.int(),
    advanced: z.strictObject({
      horizontalPodAutoscalerConfig: z.strictObject({
        behavior: z.strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: z.int().max(3600) }) }),
      }),
    }),
    triggers: z.array(
      z.strictObject({
        type: z.literal('temporal'),
        metadata: z.strictObject({
          endpoint: z.string(),
          namespace: z.string(),
          taskQueue: z.string(),
          queueTypes: z.string().regex(/^(workflow|activity)(,(workflow|activity))?$/),
          targetQueueSize: z.string().regex(/^\d+$/),
        }),
      }),
    ),
  }),
});

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}
interface Container {
  ports: { containerPort: number }[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[];
  startupProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
  readinessProbe: { httpGet: { path: string } };
  securityContext: unknown;
}
interface Deployment extends Manifest {
  spec: {
    template: { spec: { terminationGracePeriodSeconds: number; containers: [Container]; securityContext: unknown } };
  };
}
interface Kustomization {
  resources: string[];
  images?: { newTag: string }[];
  configurations?: string[];
}

const kustomizations = readdirSync(FOLDER).map((folder) => {
  const read = parse(readFileSync(path.join(FOLDER, folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  return [folder, read] as const;
});
const files = kustomizations.flatMap(([folder, { resources }]) =>
  resources.filter((name) => name.endsWith('.yaml')).map((name) => path.join(FOLDER, folder, name)),
);
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Manifest),
);
const manifest = (kind: string): Manifest => manifests.find((each) => each.kind === kind)!;
const deployment = manifest('Deployment') as Deployment;
const { data } = manifest('ConfigMap') as Manifest & { data: Record<string, string> };

const ajv = new Ajv2020({ strict: false, logger: false });
ajv.addSchema(definitions, 'kubernetes');

/** What Kubernetes, or KEDA, finds wrong with a manifest. */
function mistakesOf(one: Manifest): unknown[] {
  if (one.kind === 'ScaledObject') return scaledObject.safeParse(one).error?.issues ?? [];
  const definition = KINDS[`${one.apiVersion} ${one.kind}`];
  if (definition === undefined) return [`no definition of ${one.apiVersion} ${one.kind}`];
  const validate = ajv.getSchema(`kubernetes#/$defs/${definition}`)!;
  void validate(one);
  return validate.errors ?? [];
}

describe('deploy/kubernetes', () => {
  test('every manifest is as its kind wants it, and every file is used', () => {
    for (const one of manifests) expect([one.kind, mistakesOf(one)]).toEqual([one.kind, []]);
    expect(manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'ScaledObject']));
    const named = kustomizations.flatMap(([folder, { resources, configurations = [] }]) =>
      ['kustomization.yaml', ...resources, ...configurations].map((name) => path.join(FOLDER, folder, name)),
    );
    const there = kustomizations.flatMap(([folder]) =>
      readdirSync(path.join(FOLDER, folder)).map((name) => path.join(FOLDER, folder, name)),
    );
    expect(there.filter((file) => !named.includes(file))).toEqual([]);
  });

  test.each([
    [
      'Deployment',
      (one: object) => Object.assign((one as Deployment).spec.template.spec.containers[0], { imagee: 'x' }),
    ],
    ['Deployment', (one: object) => Object.assign((one as Deployment).spec, { selector: undefined })],
    ['Deployment', (one: object) => Object.assign((one as Deployment).spec, { replicas: 'two' })],
    ['Deployment', (one: object) => Object.assign(one, { apiVersion: 'apps/v9' })],
    ['PodDisruptionBudget', (one: object) => Object.assign((one as { spec: object }).spec, { maxUnavailble: 1 })],
    ['ScaledObject', (one: object) => Object.assign((one as { spec: object }).spec, { minReplicas: 2 })],
  ])('the check refuses a mistake in a %s', (kind, damage) => {
    const broken = structuredClone(manifest(kind));
    damage(broken);
    expect(mistakesOf(JSON.parse(JSON.stringify(broken)) as Manifest)).not.toEqual([]);
  });

  test('workers are shut in, hold no secret, and may drain', () => {
    const { terminationGracePeriodSeconds, containers, securityContext } = deployment.spec.template.spec;
    const [worker] = containers;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(worker.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(data).filter((name) => /KEY|PASSWORD|SECRET|TOKEN|STORAGE|DATABASE/.test(name))).toEqual([]);
    for (const name of [...Object.keys(data), ...worker.env.map((each) => each.name)])
      expect([name, VARIABLES.includes(`\`${name}\``)]).toEqual([name, true]);
    for (const { name, value, valueFrom } of worker.env) {
      expect([name, value]).toEqual([name, undefined]);
      expect(DOCS).toContain(`\`${valueFrom!.secretKeyRef.key}\``);
    }
    expect(terminationGracePeriodSeconds).toBe(Number.parseInt(data['REFLECT_DRAIN']!, 10) + 15);
  });

  test('they say what the worker and its image say', () => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = deployment.spec.template.spec.containers[0];
    const probes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
    expect(probes).toEqual(['/healthz', '/healthz', '/readyz']);
    expect(readFileSync('Dockerfile', 'utf8')).toContain(`REFLECT_HTTP_PORT=${ports[0]!.containerPort}`);
    const { triggers } = scaledObject.parse(manifest('ScaledObject')).spec;
    const queues = triggers.map(({ metadata }) => metadata.taskQueue);
    expect(queues).toEqual([DEFAULT_TASK_QUEUE, modelQueue(DEFAULT_TASK_QUEUE)]);
    for (const { metadata } of triggers) {
      expect(metadata).toMatchObject({ endpoint: data['TEMPORAL_ADDRESS'], namespace: data['TEMPORAL_NAMESPACE'] });
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(Object.fromEntries(kustomizations)['workers']!.images![0]!.newTag).toBe(version);
  });
});
