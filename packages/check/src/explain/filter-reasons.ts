import { type LabelSelector, listOf, objectOf } from '@kubeadmit/apimachinery';
import type {
  FilterMisfit,
  FiltersTrace,
  FilterTrace,
  MatchTrace,
} from '@kubeadmit/kyverno/traces';
import { labelsText, selectorText } from './label-texts.ts';

/** The namespace of a request. */
export interface AskedNamespace {
  /** Empty for objects of the whole cluster. */
  readonly name: string;
  /** Whether it is among the inputs, so that its labels are known. */
  readonly isGiven: boolean;
}

/** Why a rule concerns a request or not, in a sentence; the namespace is that of the request. */
export function matchSentence(
  { elsewhere, match, exclude }: MatchTrace,
  namespace: AskedNamespace,
): string {
  if (elsewhere !== undefined) {
    return `its policy applies to namespace ${elsewhere.wanted} only, and the object is in ${elsewhere.found || 'no namespace'}`;
  }
  if (match === undefined) return '';
  if (!match.matches) return filtersSentence(match, 'match', namespace);
  return exclude?.matches === true
    ? filtersSentence(exclude, 'exclude', namespace)
    : filtersSentence(match, 'match', namespace);
}

/** The place of a filter in the rule: `match.any[0]`. */
export function filterPath(form: FiltersTrace['form'], block: string, index: number): string {
  return form === 'block' ? block : `${block}.${form}[${index}]`;
}

/** Which filter decided, or why none fits. */
export function filtersSentence(
  { form, matches, filters }: FiltersTrace,
  block: string,
  namespace: AskedNamespace,
): string {
  const of = (filter: FilterTrace): string => filterPath(form, block, filters.indexOf(filter));
  if (matches) {
    const fitting = form === 'any' ? filters.filter((each) => each.matches).slice(0, 1) : filters;
    return `${fitting.map(of).join(' and ')} ${fitting.length === 1 ? 'matches' : 'match'}`;
  }
  const failing = filters.filter((each) => !each.matches);
  return failing
    .map(
      (filter) =>
        `${of(filter)} does not match: ${filterReasons(filter, namespace).join(', and ')}`,
    )
    .join('; ');
}

/** Each part of a filter that does not fit, in a sentence. */
export function filterReasons(
  { isEmpty, misfits }: FilterTrace,
  namespace: AskedNamespace,
): readonly string[] {
  if (isEmpty) return ['it is empty, and an empty filter matches nothing'];
  return misfits.map((misfit) => misfitText(misfit, namespace));
}

function misfitText(
  { part, wanted, found, problem }: FilterMisfit,
  namespace: AskedNamespace,
): string {
  if (problem !== undefined) return `${part}: ${problem}`;
  switch (part) {
    case 'operations':
      return `it lists operations ${list(wanted)}, not ${found}`;
    case 'kinds':
      return `it lists kinds ${list(wanted)}, not ${found}`;
    case 'name':
      return `it requires name ${wanted}, not ${named(found)}`;
    case 'names':
      return `it lists names ${list(wanted)}, not ${named(found)}`;
    case 'namespaces':
      return found === ''
        ? `it lists namespaces ${list(wanted)}, and the object is in no namespace`
        : `it lists namespaces ${list(wanted)}, not ${found}`;
    case 'annotations':
      return `it requires annotations ${labelsText(texts(wanted))}, but the object has ${labelsText(texts(found), 'annotations')}`;
    case 'selector':
      return `its selector requires ${selectorText(wanted as LabelSelector)}, but the object has ${labelsText(texts(found))}`;
    case 'namespaceSelector': {
      const asked = `its namespaceSelector requires ${selectorText(wanted as LabelSelector)}`;
      if (namespace.name === '') return `${asked}, but the object has no namespace`;
      return namespace.isGiven
        ? `${asked}, but namespace ${namespace.name} has ${labelsText(texts(found))}`
        : `${asked}; the Namespace ${namespace.name} is not among the inputs, so its labels are unknown`;
    }
    case 'roles':
    case 'clusterRoles':
      return `it lists ${part} ${list(wanted)}, but the user has ${list(found) || 'none'}`;
    case 'subjects':
      return `it lists ${subjects(wanted)}, but the user is ${userText(found)}`;
    default:
      return part satisfies never;
  }
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function named(value: unknown): string {
  return value === '' ? 'none' : String(value);
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return objectOf(value) as Readonly<Record<string, string>>;
}

function subjects(value: unknown): string {
  const all = listOf(value) as readonly Readonly<Record<string, string>>[];
  return all
    .map(({ kind, name, namespace }) =>
      kind === 'ServiceAccount' ? `${kind} ${namespace}/${name}` : `${kind} ${name}`,
    )
    .join(', ');
}

function userText(value: unknown): string {
  const { username, groups } = value as { username: string; groups: readonly string[] };
  const who = username === '' ? 'nobody' : username;
  return groups.length === 0 ? who : `${who} (${groups.join(', ')})`;
}
