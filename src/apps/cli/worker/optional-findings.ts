import { installedVersion, findMissing, OPTIONAL_FEATURES, type OptionalFeature } from '../../../lib/optional-packages';
import type { Finding } from './model-findings';

const FEATURES = Object.keys(OPTIONAL_FEATURES) as OptionalFeature[];

export function optionalFindings(): Finding[] {
  return FEATURES.map((feature) => {
    const missing = findMissing(feature);
    if (missing) return { well: true, isAbsent: true, text: `${feature}: not installed (${missing.install})` };
    const versions = OPTIONAL_FEATURES[feature].map((name) => `${name} ${installedVersion(name)}`);
    return { well: true, text: `${feature}: ${versions.join(', ')}` };
  });
}

export function runsNoLanguage(): boolean {
  return FEATURES.filter((feature) => feature.endsWith(' code')).every((feature) => findMissing(feature) !== undefined);
}
