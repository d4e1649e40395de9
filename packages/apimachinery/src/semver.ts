// Semantic versions, as the programs of Kubernetes read and order them; they need nothing of objects.

export { parseNormalizedSemver, parseSemver } from './semver/parse-semver.ts';
export { compareSemver, formatSemver, type Semver } from './semver/semver.ts';
export { parseVersionRange } from './semver/version-range.ts';
