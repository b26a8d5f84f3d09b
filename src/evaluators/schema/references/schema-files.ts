import { isJsonObject } from '../../../lib/json/json';
import { type Dialect, dialectOf, oldDraftProblem } from '../schema-dialect';
import { readSchemaFile, type SchemaFile, SchemaFileRefused, type SchemaFolder } from './schema-file';
import { addressOf, type FoundPlace, type Place, type SchemaResources } from './schema-resources';

const MAX_FILES = 50;
const MAX_CHAIN = 20;

const NOT_ALLOWED =
  'this worker reads no schema files; it does with `schemaRoot` or REFLECT_SCHEMA_ROOT, the folder that they are in';

/** The files that a schema refers to. They become parts of it when they are first referred to. */
export class SchemaFiles {
  readonly #chains = new Map<string, number>();

  constructor(
    private readonly folder: SchemaFolder | undefined,
    private readonly resources: SchemaResources,
  ) {}

  /** @throws SchemaFileRefused */
  find(reference: string, place: Place): FoundPlace {
    const file = this.#read(reference, place);
    if (!this.#chains.has(file.name)) this.#add(file, (this.#chains.get(place.file) ?? 0) + 1);
    const fragment = reference.split('#', 2)[1] ?? '';
    const found = this.resources.findInFile(file.name, fragment);
    if (found === 'missing') throw new SchemaFileRefused(`there is no #${fragment} in ${file.name}`);
    return found;
  }

  /** A relative reference is relative to the file that it is in, unless its `$id` gives it an address of the folder. */
  #read(reference: string, { base, file }: Place): SchemaFile {
    const isAddress = /^[a-z][a-z\d+.-]*:|^\/\//i.test(reference);
    if (isAddress && this.folder?.address === undefined) {
      const how = this.folder
        ? ', or give that folder this address with `schemaAddress` or REFLECT_SCHEMA_ADDRESS'
        : '';
      throw new SchemaFileRefused(`addresses are never read; refer to a file in the schema folder${how}`);
    }
    if (!this.folder) throw new SchemaFileRefused(NOT_ALLOWED);
    const { root, address } = this.folder;
    if (address === undefined || !(isAddress || base.startsWith(address))) {
      return readSchemaFile(root, file, reference.split('#', 1)[0]!);
    }
    const whole = addressOf(reference, base)?.base;
    if (whole?.startsWith(address)) return readSchemaFile(root, '', whole.slice(address.length));
    throw new SchemaFileRefused(`addresses are never read, and this one is not below ${address}, the schema folder's`);
  }

  #add({ name, schema: content }: SchemaFile, chain: number): void {
    if (this.#chains.size >= MAX_FILES) throw new SchemaFileRefused(`more than ${MAX_FILES} files`);
    if (chain > MAX_CHAIN) throw new SchemaFileRefused(`files refer to files more than ${MAX_CHAIN} deep`);
    const old = oldDraftProblem(content);
    if (old) throw new SchemaFileRefused(`${name} ${old.message}`);
    const schema = structuredClone(content);
    if (isJsonObject(schema) && schema.$schema !== undefined) {
      this.#demandDialect(name, dialectOf(schema));
      delete schema.$schema;
    }
    this.#chains.set(name, chain);
    this.resources.addFile(name, schema);
  }

  #demandDialect(name: string, dialect: Dialect | undefined): void {
    if (dialect === this.resources.dialect) return;
    throw new SchemaFileRefused(`${name} is of another $schema than the schema that refers to it`);
  }
}
