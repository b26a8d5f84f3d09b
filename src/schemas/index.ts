export { settingsOf } from './settings';
export { parseSpec, type SpecParts, specParts } from './spec';
