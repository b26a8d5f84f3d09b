/** Large payloads outside of histories: drivers for the SDK's external storage, and their settings. */
export { AttachmentStorage, attachmentStorageOf } from './attachments';
export { closeStorage, dataConverterFrom, storageDriverFrom } from './data-converter';
export { externalStorage } from './external-storage';
export { localFolderStorage } from './local-folder';
export type { PartStorageDriver, PartStorageOptions } from './parts/part-storage-driver';
export { postgresStorage } from './postgres';
export { partsTableSql } from './postgres-table';
export { S3Storage } from './s3/s3-storage';
export { type ResultStorage, resultStorageOf } from './result-storage';
