import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { approvalCondition } from './approval.ts';
import { hasUsableCaBundle } from './ca-bundle.ts';
import { type Condition, conditionsOf } from './conditions.ts';

/** The names of a definition as far as no other definition has them, with the conditions that say so. */
export interface AcceptedNames {
  readonly acceptedNames: KubernetesObject;
  readonly conditions: readonly Condition[];
}

/**
 * Decides about the names of a definition, whether it is established, and whether its group allows it (apiextensions
 * naming, establishing and apiapproval controllers).
 */
export function acceptNames(
  definition: KubernetesObject,
  others: readonly KubernetesObject[],
  now: string,
): AcceptedNames {
  const names = (member(member(definition, 'spec'), 'names') ?? {}) as KubernetesObject;
  const taken = takenNames(definition, others);
  const before = (member(member(definition, 'status'), 'acceptedNames') ?? {}) as KubernetesObject;
  const { acceptedNames, conflict } = acceptEach(names, before, taken);
  const accepted = conflict === undefined;
  const namesCondition: Condition = {
    type: 'NamesAccepted',
    status: accepted ? 'True' : 'False',
    lastTransitionTime: now,
    reason: accepted ? 'NoConflicts' : conflict.reason,
    message: accepted ? 'no conflicts found' : conflict.message,
  };
  const known = conditionsOf(definition);
  const wasEstablished = known.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  const established = establishedCondition(definition, { accepted, now });
  const approval = approvalCondition(definition, now);
  const wanted = [
    ...(wasEstablished ? [namesCondition] : [namesCondition, established]),
    ...(approval === undefined ? [] : [approval]),
  ];
  const conditions = wanted.reduce(withCondition, known);
  return { acceptedNames, conditions };
}

function establishedCondition(
  definition: KubernetesObject,
  { accepted, now }: { readonly accepted: boolean; readonly now: string },
): Condition {
  const [status, reason, message] = !accepted
    ? ['False', 'NotAccepted', 'not all names are accepted']
    : hasUsableCaBundle(definition)
      ? ['True', 'InitialNamesAccepted', 'the initial names have been accepted']
      : ['False', 'InvalidCABundle', 'The conversion webhook CABundle is invalid'];
  return { type: 'Established', status, lastTransitionTime: now, reason, message };
}

/** Conditions with one of them set; one that says the same stays as it was. */
export function withCondition(
  conditions: readonly Condition[],
  wanted: Condition,
): readonly Condition[] {
  const place = conditions.findIndex(({ type }) => type === wanted.type);
  if (place < 0) return [...conditions, wanted];
  const own = conditions[place];
  const { status, reason, message } = wanted;
  const isSame = own?.status === status && own.reason === reason && own.message === message;
  const kept = own?.status === status ? { lastTransitionTime: own.lastTransitionTime ?? '' } : {};
  return conditions.map((each, i) => (i === place && !isSame ? { ...wanted, ...kept } : each));
}

interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenNames(definition: KubernetesObject, others: readonly KubernetesObject[]): TakenNames {
  const group = member(member(definition, 'spec'), 'group');
  const own = metadataString(definition, 'name');
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    if (metadataString(other, 'name') === own) continue;
    if (member(member(other, 'spec'), 'group') !== group) continue;
    const names = member(member(other, 'status'), 'acceptedNames');
    for (const name of resourceNames(names)) resources.add(name);
    for (const name of ['kind', 'listKind']) kinds.add(String(member(names, name) ?? ''));
  }
  return { resources, kinds };
}

function resourceNames(names: unknown): readonly string[] {
  const shortNames = member(names, 'shortNames');
  return [
    String(member(names, 'plural') ?? ''),
    String(member(names, 'singular') ?? ''),
    ...(Array.isArray(shortNames) ? (shortNames as string[]) : []),
  ].filter((name) => name !== '');
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

// Each name separately: a name that is taken keeps its old value, and the last conflict is reported.
function acceptEach(
  names: KubernetesObject,
  before: KubernetesObject,
  { resources, kinds }: TakenNames,
): { readonly acceptedNames: KubernetesObject; readonly conflict: Conflict | undefined } {
  const asked: readonly (readonly [string, string, ReadonlySet<string>])[] = [
    ['plural', 'PluralConflict', resources],
    ['singular', 'SingularConflict', resources],
    ['shortNames', 'ShortNamesConflict', resources],
    ['kind', 'KindConflict', kinds],
    ['listKind', 'ListKindConflict', kinds],
  ];
  const accepted: Record<string, unknown> = {};
  let conflict: Conflict | undefined;
  for (const [field, reason, taken] of asked) {
    const wanted = member(names, field);
    const all = (Array.isArray(wanted) ? (wanted as unknown[]) : [wanted]).map(String);
    const inUse = all.filter((name) => wanted !== undefined && taken.has(name));
    const own = inUse.length === 0 ? wanted : member(before, field);
    if (own !== undefined && own !== '') accepted[field] = own;
    if (inUse.length === 0) continue;
    const texts = inUse.map((name) => `"${name}" is already in use`);
    const message = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
    conflict = { reason, message };
  }
  const { categories } = names;
  return {
    acceptedNames: {
      plural: accepted['plural'] ?? '',
      ...(accepted['singular'] === undefined ? {} : { singular: accepted['singular'] }),
      ...(accepted['shortNames'] === undefined ? {} : { shortNames: accepted['shortNames'] }),
      kind: accepted['kind'] ?? '',
      ...(accepted['listKind'] === undefined ? {} : { listKind: accepted['listKind'] }),
      ...(categories === undefined ? {} : { categories }),
    },
    conflict,
  };
}
