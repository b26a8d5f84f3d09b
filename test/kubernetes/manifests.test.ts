import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2019 from 'ajv/dist/2019';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import definitions from './kubernetes-1.34.json';

const PROJECT = path.join(__dirname, '..', '..');
const FOLDER = path.join(PROJECT, 'deploy', 'kubernetes');
const read = (...file: string[]) => readFileSync(path.join(PROJECT, ...file), 'utf8');

/** Where the definition of each kind stands in Kubernetes' own document. */
const KINDS: Record<string, string> = {
  'v1 ConfigMap': 'io.k8s.api.core.v1.ConfigMap',
  'apps/v1 Deployment': 'io.k8s.api.apps.v1.Deployment',
  'policy/v1 PodDisruptionBudget': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'networking.k8s.io/v1 NetworkPolicy': 'io.k8s.api.networking.v1.NetworkPolicy',
};

const labels = z.record(z.string(), z.string());

/** KEDA's own object, which is not Kubernetes': the part that we use, with the settings of its Temporal trigger. */
const scaledObject = z.strictObject({
  apiVersion: z.literal('keda.sh/v1alpha1'),
  kind: z.literal('ScaledObject'),
  metadata: z.strictObject({ name: z.string(), labels }),
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ name: z.string() }),
    pollingInterval: z.int(),
    cooldownPeriod: z.int(),
    minReplicaCount: z.int().min(2),
    maxReplicaCount: z.int(),
    triggers: z.array(
      z.strictObject({
        type: z.literal('temporal'),
        metadata: z.strictObject({
          endpoint: z.string(),
          namespace: z.string(),
          taskQueue: z.enum(['reflection', 'reflection-models']),
          queueTypes: z.string().regex(/^(workflow|activity)(,(workflow|activity))?$/),
          targetQueueSize: z.string().regex(/^\d+$/),
          workerDeploymentName: z.string(),
          workerDeploymentBuildId: z.string(),
          enableTLS: z.enum(['true', 'false']),
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
  image: string;
  env: { name: string; value: string }[];
  envFrom: Record<string, { name: string }>[];
  securityContext: unknown;
}
interface Deployment extends Manifest {
  spec: {
    template: {
      metadata: { labels: Record<string, string> };
      spec: { terminationGracePeriodSeconds: number; containers: [Container]; securityContext: unknown };
    };
  };
}

const files = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml');
const manifests = files.flatMap((file) =>
  parseAllDocuments(read('deploy', 'kubernetes', file)).map((document) => document.toJS() as Manifest),
);
const manifest = (kind: string) => manifests.find((each) => each.kind === kind)!;
const deployment = manifest('Deployment') as Deployment;
const { data } = manifest('ConfigMap') as Manifest & { data: Record<string, string> };

const ajv = new Ajv2019({ strict: false, logger: false });
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
  test('every manifest is as its kind wants it, and kustomization.yaml names all of them', () => {
    for (const one of manifests) expect([one.kind, mistakesOf(one)]).toEqual([one.kind, []]);
    const { resources } = parseAllDocuments(read('deploy', 'kubernetes', 'kustomization.yaml'))[0]!.toJS() as {
      resources: string[];
    };
    expect(resources.toSorted()).toEqual(files.toSorted());
    expect(manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'ScaledObject']));
  });

  test.each([
    [
      'Deployment',
      (one: object) => Object.assign((one as Deployment).spec.template.spec.containers[0], { imagee: 'x' }),
    ],
    ['Deployment', (one: object) => Object.assign((one as Deployment).spec, { selector: undefined })],
    ['Deployment', (one: object) => Object.assign((one as Deployment).spec, { revisionHistoryLimit: 'three' })],
    ['PodDisruptionBudget', (one: object) => Object.assign((one as { spec: object }).spec, { maxUnavailble: 1 })],
    ['ScaledObject', (one: object) => Object.assign((one as { spec: object }).spec, { minReplicas: 2 })],
  ])('the check refuses a mistake in a %s', (kind, damage) => {
    const broken = structuredClone(manifest(kind));
    damage(broken);
    expect(mistakesOf(JSON.parse(JSON.stringify(broken)) as Manifest)).not.toEqual([]);
  });

  test('workers are shut in, hold no secret, and may drain', () => {
    const { template } = deployment.spec;
    const [worker] = template.spec.containers;
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(worker.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(worker.envFrom.map((source) => Object.keys(source)[0])).toEqual(['configMapRef', 'secretRef']);
    expect(Object.keys(data).filter((name) => /KEY|PASSWORD|SECRET|TOKEN|STORAGE|DATABASE/.test(name))).toEqual([]);
    const known = read('docs', 'reference', 'environment.md');
    for (const name of Object.keys(data)) expect([name, known.includes(`\`${name}\``)]).toEqual([name, true]);
    expect(template.spec.terminationGracePeriodSeconds).toBe(parseInt(data['REFLECT_DRAIN']!, 10) + 15);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(worker.image).toBe(`durable-reflection:${version}`);
  });

  test('a build has the same id in all places, and both its queues are watched', () => {
    const { metadata, spec } = deployment;
    const build = spec.template.spec.containers[0].env.find(({ name }) => name === 'REFLECT_BUILD_ID')!.value;
    const scaled = scaledObject.parse(manifest('ScaledObject'));
    expect(metadata.name).toBe(`reflect-worker-${build}`);
    expect(spec.template.metadata.labels['app.kubernetes.io/version']).toBe(build);
    expect([scaled.metadata.name, scaled.spec.scaleTargetRef.name]).toEqual([metadata.name, metadata.name]);
    expect(scaled.spec.triggers.map((trigger) => trigger.metadata.taskQueue)).toEqual([
      'reflection',
      'reflection-models',
    ]);
    for (const { metadata: asked } of scaled.spec.triggers) {
      expect(asked).toMatchObject({
        endpoint: data['TEMPORAL_ADDRESS'],
        namespace: data['TEMPORAL_NAMESPACE'],
        workerDeploymentName: data['REFLECT_DEPLOYMENT'],
        workerDeploymentBuildId: build,
      });
    }
  });
});
