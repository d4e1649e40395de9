import type { Finding } from '@kubeadmit/chain';
import { isAudited, isWarning, type PatchOperation } from '@kubeadmit/chain/findings';
import type { InputProblem, Place } from '@kubeadmit/manifest';
import type { Coverage } from './coverage.ts';

/** The result of the check of one object. */
export interface CheckedObject {
  /** The input that it is from. */
  readonly file: string;
  /** The line in which it begins. */
  readonly line: number;
  /** Such as `apps/v1`. */
  readonly apiVersion: string;
  /** Such as `Deployment`. */
  readonly kind: string;
  /** Empty for an object of the whole cluster. */
  readonly namespace: string;
  /** Empty if the server generates it. */
  readonly name: string;
  /** The prefix of a name that the server generates. */
  readonly generateName?: string;
  /** The operation: `CREATE`, `UPDATE`, `DELETE` or `CONNECT`. */
  readonly operation: string;
  /** Whether the server would take it. */
  readonly allowed: boolean;
  /** The reason why kube-apiserver would reject the object before any policy, or the error of the check. */
  readonly failure?: string;
  /** The place of the field that caused the rejection, if it is known. */
  readonly place?: Place;
  /** Whether an error of ours kept the object from being checked. */
  readonly isBroken?: boolean;
  /** The combined changes of the mutating policies, as a JSON patch (RFC 6902). */
  readonly patch: readonly PatchOperation[];
  /** The audit annotations of the policies, by key. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The findings of all matching policies, in evaluation order. */
  readonly findings: readonly Finding[];
}

/** The result of a check. */
export interface Report {
  /** The server's version, such as `1.37`. */
  readonly kubernetesVersion: string;
  /** How many policies there are. */
  readonly policies: number;
  /** How many bindings there are. */
  readonly bindings: number;
  /** The result for each object, in the order of the inputs. */
  readonly objects: readonly CheckedObject[];
  /** The problems of inputs that were skipped, completely or in part. */
  readonly leftOut: readonly InputProblem[];
  /** Policies and bindings that matched nothing. */
  readonly coverage: Coverage;
}

/** The finding of a check without policies: the object fits its schema, its definition and the rules of that. */
export const schemaFinding: Finding = { policy: '', verdict: 'allow' };

/** The name of an object with its namespace, for people; `generateName` ends with `*`. */
export function shownName({ namespace, name, generateName }: CheckedObject): string {
  const own = name || (generateName === undefined ? '(no name)' : `${generateName}*`);
  return namespace === '' ? own : `${namespace}/${own}`;
}

function isSchemaFinding({ policy, verdict }: Finding): boolean {
  return policy === '' && verdict === 'allow';
}

/** The overall result for an object, as one word. */
export type Outcome =
  | 'denied'
  | 'invalid'
  | 'failed'
  | 'warned'
  | 'audited'
  | 'error ignored'
  | 'changed'
  | 'allowed'
  | 'valid'
  | 'not matched';

/** The one word for an object: the first that is true. */
export function outcomeOf(object: CheckedObject): Outcome {
  if (object.failure !== undefined) return object.isBroken === true ? 'failed' : 'invalid';
  if (!object.allowed) return 'denied';
  const verdicts = new Set(object.findings.map(({ verdict }) => verdict));
  if (object.findings.some(isWarning)) return 'warned';
  if (object.findings.some(isAudited)) return 'audited';
  if (verdicts.has('ignore')) return 'error ignored';
  if (object.patch.length > 0) return 'changed';
  if (object.findings.some(isSchemaFinding)) return 'valid';
  const isMatched = (['allow', 'mutate', 'generate', 'delete'] as const).some((one) =>
    verdicts.has(one),
  );
  return isMatched ? 'allowed' : 'not matched';
}

/** The findings of an object, and one in their place when there are none: nothing is left out. */
export function rowsOf(object: CheckedObject): readonly Finding[] {
  if (object.failure !== undefined) {
    return [
      object.isBroken === true
        ? { policy: '', verdict: 'error', message: object.failure }
        : { policy: '', verdict: 'deny', message: object.failure, reason: 'Invalid' },
    ];
  }
  if (object.findings.length > 0) return object.findings;
  return [{ policy: '', verdict: 'skip', message: 'no policy matches it' }];
}
