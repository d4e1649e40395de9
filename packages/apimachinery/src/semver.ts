// Semantic versions, as the programs of Kubernetes read and order them; they need nothing of objects.

export { compareSemver, formatSemver, parseSemver } from './checked/versions.ts';
export type { Semver } from './semver/semver.ts';
