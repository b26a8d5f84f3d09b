import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv/dist/2020';
import { fetchedPackages } from '../support/fetched-packages';
import { inFolder, type PackageFile, pipDownload, ran } from '../support/pip';

/** Has the JSON Schemas of Kubernetes, generated from its OpenAPI description; only its data are taken. */
const SCHEMAS: PackageFile = {
  name: 'kubernetes-validate',
  version: '1.37.0',
  sha256: '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
};
const VERSION = 'v1.37.0-local-strict';
const FETCHED = path.join(__dirname, '..', '..', '.reflect', 'fetched');

/** An object of Kubernetes, as far as every one has the same shape. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

async function definitions(): Promise<object> {
  const file = path.join(FETCHED, `kubernetes-${VERSION}.json`);
  if (!existsSync(file)) {
    mkdirSync(FETCHED, { recursive: true });
    await inFolder(FETCHED, async (folder) => {
      const [wheel] = await pipDownload([SCHEMAS], 'wheel', folder);
      const unpacked = path.join(folder, 'unpacked');
      await ran('python3', ['-m', 'zipfile', '-e', wheel!, unpacked]);
      const all = path.join(unpacked, 'kubernetes_validate', 'kubernetes-json-schema', VERSION, '_definitions.json');
      renameSync(all, file);
    });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as object;
}

interface Known {
  $id: string;
  $defs: Record<string, { 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[] }>;
}

/** Tells what is wrong with objects of Kubernetes, unknown fields included, and of KEDA; nothing where nothing is. */
export async function manifestProblems(): Promise<(manifest: Manifest) => string[]> {
  const known = (await definitions()) as Known;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(known);
  const modules = fetchedPackages('keda', { '@kubernetes-models/keda': '0.4.2' });
  const keda = require(path.join(modules, '@kubernetes-models/keda/keda.sh/v1alpha1')) as Record<
    string,
    new (data: object) => { validate(): void }
  >;
  return (manifest) => {
    const { apiVersion, kind } = manifest;
    const [version, group = ''] = apiVersion.split('/').toReversed() as [string, string?];
    if (group === 'keda.sh') {
      try {
        new keda[kind]!(manifest).validate();
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    }
    const name = Object.keys(known.$defs).find((each) =>
      known.$defs[each]!['x-kubernetes-group-version-kind']?.some(
        (one) => one.group === group && one.version === version && one.kind === kind,
      ),
    );
    if (name === undefined) return [`Kubernetes has no ${apiVersion} ${kind}`];
    const validate = ajv.compile({ $ref: `${known.$id}#/$defs/${name}` });
    validate(manifest);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
