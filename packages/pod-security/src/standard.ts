/** The levels of the Pod Security Standards, from the most permissive on. */
export const levels = ['privileged', 'baseline', 'restricted'] as const;

/** A level of the Pod Security Standards. */
export type Level = (typeof levels)[number];

/** A version of the standards: a minor version such as 24 for `v1.24`, or `latest`. */
export type StandardVersion = number | 'latest';

/** A level in a version. */
export interface Standard {
  /** The level. */
  readonly level: Level;
  /** The version. */
  readonly version: StandardVersion;
}

/** The text of kube-apiserver about an unknown level. */
export const levelProblem: string = `must be one of ${levels.join(', ')}`;

/** The text of kube-apiserver about an unknown version. */
export const versionProblem = 'must be "latest" or "v1.x"';

/** Returns the level of a name, or `undefined` for an unknown one. */
export function parseLevel(name: string): Level | undefined {
  return levels.find((level) => level === name);
}

/** Returns the version of a text such as `v1.24` or `latest`, or `undefined` for any other. */
export function parseVersion(text: string): StandardVersion | undefined {
  if (text === 'latest') return 'latest';
  const [, minor] = /^v1\.(0|[1-9]\d*)$/.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

/** Formats a standard, such as `baseline:v1.24`. */
export function formatStandard({ level, version }: Standard): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

/** Whether the first level is stricter than the second. */
export function isStricter(level: Level, than: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(than);
}

/** Whether two standards are the same. */
export function isSameStandard(a: Standard, b: Standard): boolean {
  return a.level === b.level && a.version === b.version;
}
