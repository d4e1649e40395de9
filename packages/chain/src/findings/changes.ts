import { plainJson } from '@kubeadmit/admission';
import type { PluginTrace, PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { type KubernetesObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import { deepEqual, unescapePointerSegment } from '@kubeadmit/go';
import { diffJson, type Json } from '@kubeadmit/mutator';
import { type Finding, parameterText } from './findings.ts';
import type { PatchOperation } from './patch-operation.ts';

/** The changes of one mutation. */
export interface Change {
  /** Empty for the change of an admission plugin. */
  readonly policy: string;
  /** The admission plugin that made the change; absent for policies. */
  readonly plugin?: string;
  /** The titles of the objects that made the plugin change it, such as `LimitRange shop/defaults`. */
  readonly causes?: readonly string[];
  /** The binding of the policy. */
  readonly binding?: string;
  /** The parameter that it was made with: `name` or `namespace/name`. */
  readonly params?: string;
  /** The rule of a Kyverno policy. */
  readonly rule?: string;
  /** The place in `spec.mutations` of a MutatingAdmissionPolicy. */
  readonly mutation?: number;
  /** 2 if it ran once more after changes by others. */
  readonly pass?: 1 | 2;
  /** The object before the change. */
  readonly before: unknown;
  /** The object after it. */
  readonly after: unknown;
}

/** One operation of a change, with the value that was there before. */
export interface ChangedValue extends PatchOperation {
  /** The value before; absent if there was none. */
  readonly old?: unknown;
}

/** The changes of one mutation, in the form of reports. */
export interface ExplainedChange extends Omit<Change, 'before' | 'after'> {
  /** As a JSON patch (RFC 6902), with the values that were there before. */
  readonly patch: readonly ChangedValue[];
}

/** Returns the changes of native policies, in order. */
function nativeChanges(trace: readonly PolicyTrace[]): Change[] {
  return trace.flatMap(({ kind, policy, pass, bindings }) => {
    if (kind !== 'MutatingAdmissionPolicy') return [];
    return bindings.flatMap(({ binding, evaluations }) =>
      evaluations.flatMap(({ parameter, mutations = [] }) =>
        mutations.flatMap((made): Change[] => {
          if (made.outcome !== 'changed') return [];
          const { mutation, before, after } = made;
          const params = parameter === undefined ? {} : { params: parameterText(parameter) };
          const written = { before: plainJson(before), after: plainJson(after) };
          return [{ policy, binding, ...params, mutation, pass, ...written }];
        }),
      ),
    );
  });
}

/** Returns the changes of admission plugins. */
export function pluginChanges(trace: readonly PluginTrace[]): Change[] {
  return trace.flatMap(({ plugin, pass, outcome, causes, before, after }) => {
    if (outcome !== 'changed') return [];
    const written = { before: plainJson(before ?? null), after: plainJson(after ?? null) };
    if (deepEqual(written.before as Json, written.after as Json)) return [];
    const titles = causes.length === 0 ? {} : { causes: causes.map(objectTitle) };
    return [{ policy: '', plugin, ...titles, pass, ...written }];
  });
}

/** Returns all changes within kube-apiserver in order: in each pass, plugins run before policies. */
export function changesInOrder(
  plugins: readonly PluginTrace[],
  trace: readonly PolicyTrace[],
): Change[] {
  const all = [...pluginChanges(plugins), ...nativeChanges(trace)];
  return plugins.length === 0 ? all : all.sort((a, b) => (a.pass ?? 1) - (b.pass ?? 1));
}

/** Returns the kind and name of an object: `LimitRange shop/defaults`. */
export function objectTitle(object: KubernetesObject): string {
  const namespace = metadataString(object, 'namespace');
  const name = metadataString(object, 'name');
  return `${kindOfObject(object)?.kind ?? ''} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** Returns the changes of Kyverno's webhook: those of all its policies together, as it answers. */
export function kyvernoChanges(
  findings: readonly Finding[],
  before: unknown,
  after: unknown,
): Change[] {
  const made = findings.filter(({ verdict }) => verdict === 'mutate');
  const [first, ...more] = made;
  if (first === undefined) return [];
  const names = [...new Set(made.map(({ policy }) => policy))];
  const rule = more.length === 0 && first.rule !== undefined ? { rule: first.rule } : {};
  return [{ policy: names.join(', '), ...rule, before, after }];
}

/** The operations of a change: a JSON patch (RFC 6902) with old values. */
export function operationsOf({ before, after }: Change): ChangedValue[] {
  return diffJson(before as Json, after as Json).map((operation) => {
    const isNew = operation.op === 'add';
    const old = isNew ? undefined : valueAtPointer(before, operation.path);
    return old === undefined ? operation : { ...operation, old };
  });
}

/** A change as reports have it, with its operations in the place of the objects. */
export function explainChange(change: Change): ExplainedChange {
  const { before: _before, after: _after, ...origin } = change;
  return { ...origin, patch: operationsOf(change) };
}

function valueAtPointer(root: unknown, pointer: string): unknown {
  let value: unknown = root;
  for (const segment of pointer.split('/').slice(1)) {
    const key = unescapePointerSegment(segment);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
