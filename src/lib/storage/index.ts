/** Large payloads outside of histories: drivers for the SDK's external storage, and their settings. */
export { AttachmentStorage, attachmentStorageOf } from './attachments';
export { closeStorage, dataConverterFrom, storageDriverFrom } from './data-converter';
export { type ResultStorage, resultStorageOf } from './result-storage';
export { type ValueStorage, valueStorageOf } from './stored-values';
