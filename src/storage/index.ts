/** Large payloads outside of histories: drivers for the SDK's external storage, and their settings. */
export { closeStorage, dataConverterFrom, storageDriverFrom } from './data-converter';
export { InvalidStorageSettings, StoredClaimInvalid, StoredDataCorrupt, StoredDataMissing } from './errors';
export { externalStorage, type ExternalStorageOptions } from './external-storage';
export { localFolderStorage, type LocalFolderOptions } from './local-folder';
export type { PartStorageDriver, PartStorageOptions } from './parts/part-storage-driver';
export type { SweepOptions, SweepResult } from './parts/part-store';
export { postgresStorage, type PostgresStorageOptions } from './postgres';
export { partsTableSql } from './postgres-table';
export { type ResultStorage, resultStorageOf } from './result-storage';
