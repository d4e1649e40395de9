import type { Finding, Verdict } from './findings.ts';

/** What became of one object. */
export interface CheckedObject {
  readonly file: string;
  /** The line in which it begins. */
  readonly line: number;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly operation: string;
  readonly allowed: boolean;
  /** Why it could not be checked at all. */
  readonly failure?: string;
  /** What the changes of mutating policies come to: a JSON patch (RFC 6902). */
  readonly patch: readonly PatchOperation[];
  readonly findings: readonly Finding[];
}

/** One operation of a JSON patch. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** The result of a check. */
export interface Report {
  readonly kubernetesVersion: string;
  readonly policies: number;
  readonly bindings: number;
  readonly objects: readonly CheckedObject[];
}

/** What became of an object as a whole, in one word. */
export type Outcome = 'denied' | 'failed' | 'warned' | 'changed' | 'allowed' | 'not concerned';

/** The one word for an object: the first that is true. */
export function outcomeOf(object: CheckedObject): Outcome {
  if (object.failure !== undefined) return 'failed';
  if (!object.allowed) return 'denied';
  const verdicts = new Set(object.findings.map(({ verdict }) => verdict));
  if (verdicts.has('warn') || verdicts.has('audit') || verdicts.has('error')) return 'warned';
  if (object.patch.length > 0) return 'changed';
  return verdicts.has('allow') || verdicts.has('mutate') ? 'allowed' : 'not concerned';
}

/** How many findings there are of each verdict. */
export function countVerdicts(objects: readonly CheckedObject[]): Record<Verdict, number> {
  const counts = { allow: 0, deny: 0, warn: 0, audit: 0, mutate: 0, error: 0, skip: 0 };
  for (const object of objects) for (const { verdict } of rowsOf(object)) counts[verdict]++;
  return counts;
}

/** The findings of an object, and one in their place when there are none: nothing is left out. */
export function rowsOf(object: CheckedObject): readonly Finding[] {
  if (object.failure !== undefined) {
    return [{ policy: '', verdict: 'error', message: object.failure }];
  }
  if (object.findings.length > 0) return object.findings;
  return [{ policy: '', verdict: 'skip', message: 'no policy concerns it' }];
}
