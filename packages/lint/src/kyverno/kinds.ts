/** The role of a Kyverno object: rules, CEL, exceptions, an unsupported kind, or tests. */
export type KyvernoRole = 'classic' | 'cel' | 'exception' | 'unsupported' | 'test';

/** Why policies of a kind are not evaluated: what they do needs a network or a cluster. */
const unsupportedKinds: ReadonlyMap<string, string> = new Map([
  ['ImageValidatingPolicy', 'it verifies images, which needs a registry'],
  ['CleanupPolicy', 'it deletes resources on a schedule, which needs a cluster'],
]);

/** Returns the role of an object in Kyverno, or `undefined` for other objects. */
export function kyvernoRole({
  group,
  kind,
}: {
  readonly group: string;
  readonly kind: string;
}): KyvernoRole | undefined {
  if (group === 'cli.kyverno.io') return 'test';
  if (group !== 'kyverno.io' && group !== 'policies.kyverno.io') return undefined;
  if (kind === 'PolicyException') return 'exception';
  if (group === 'kyverno.io' && (kind === 'ClusterPolicy' || kind === 'Policy')) return 'classic';
  if (
    group === 'policies.kyverno.io' &&
    /^(?:Validating|Mutating|Generating|Deleting)Policy$/.test(plainKind(kind))
  ) {
    return 'cel';
  }
  return unsupportedKinds.has(plainKind(kind)) ? 'unsupported' : undefined;
}

/** Why policies of a kind are not evaluated. */
export function unsupportedReason(kind: string): string {
  return `${kind} is not supported: ${unsupportedKinds.get(plainKind(kind))}`;
}

/** A kind without what says where its objects lie. */
function plainKind(kind: string): string {
  return kind.replace(/^(?:Namespaced|Cluster)(?=.)/, '');
}
