/** Large payloads outside of histories: drivers for the SDK's external storage, and their settings. */
export { AttachmentStorage, attachmentStorageOf, type ValueStorage, valueStorageOf } from './addressed-payloads';
export { closeStorage, dataConverterFrom, storageDriverFrom } from './data-converter';
export { type ResultStorage, resultStorageOf } from './result-storage';
