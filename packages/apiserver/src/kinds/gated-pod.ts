import { memberAt } from '@kubeadmit/admission/writes';
import { type FieldError, member, memberList } from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import type { Schemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import { internalForm, type Members } from './internal-json.ts';

/** A spec with the fields that are validated here as they were, and the errors about them. */
interface Gated {
  readonly spec: Members;
  readonly errors: readonly FieldError[];
}

/**
 * Validates the changes that only a pod with scheduling gates allows: additions to the node selector and to the
 * required node affinity.
 */
export function withGatedFields(schemas: Schemas, spec: Members, before: Members): Gated {
  if (memberList(before, 'schedulingGates').length === 0) return { spec, errors: [] };
  return {
    spec: { ...spec, nodeSelector: before['nodeSelector'], affinity: keptAffinity(spec, before) },
    errors: [...selectorErrors(schemas, spec, before), ...affinityErrors(schemas, spec, before)],
  };
}

// core validation `validateNodeSelectorMutation`
function selectorErrors(schemas: Schemas, spec: Members, before: Members): FieldError[] {
  const [now, then] = [spec, before].map((each) => (each['nodeSelector'] ?? {}) as Members) as [
    Members,
    Members,
  ];
  if (Object.keys(then).every((key) => Object.hasOwn(now, key) && now[key] === then[key]))
    return [];
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  const shown = shownField(schemas, 'core.v1.PodSpec', 'nodeSelector', spec['nodeSelector']);
  return [invalid('spec.nodeSelector', shown, why)];
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

// core validation `validateNodeAffinityMutation`
function affinityErrors(schemas: Schemas, spec: Members, before: Members): FieldError[] {
  const termsOf = (each: Members): readonly unknown[] =>
    memberList(memberAt(each, 'affinity', 'nodeAffinity', required), 'nodeSelectorTerms');
  const [now, then] = [termsOf(spec), termsOf(before)];
  if (then.length === 0) return [];
  const at = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  const shown = shownField(schemas, 'core.v1.NodeSelector', 'nodeSelectorTerms', now);
  if (then.length !== now.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalid(at, now.length === 0 ? null : shown, why)];
  }
  return then.flatMap((old, i) => {
    if (hasOnlyAdditions(schemas, now[i], old)) return [];
    const why = 'only additions are allowed (no mutations or deletions)';
    return [invalid(`${at}[${i}]`, (shown as readonly unknown[])[i], why)];
  });
}

// core validation `validateNodeSelectorTermHasOnlyAdditions`
function hasOnlyAdditions(schemas: Schemas, term: unknown, old: unknown): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  const isEmpty = (each: unknown): boolean =>
    lists.every((list) => memberList(each, list).length === 0);
  if (isEmpty(old)) return isEmpty(term);
  return lists.every((list) => {
    const now = memberList(term, list);
    return memberList(old, list).every((requirement, i) =>
      isSameStruct(
        schemas,
        'core.v1.NodeSelectorRequirement',
        (now[i] ?? {}) as object,
        requirement as object,
      ),
    );
  });
}

/** The new affinity with the old node affinity. */
function keptAffinity(spec: Members, before: Members): unknown {
  const [now, then] = [spec['affinity'] ?? undefined, before['affinity'] ?? undefined];
  const nodeAffinity = member(then, 'nodeAffinity') ?? undefined;
  if (now === undefined) return nodeAffinity === undefined ? undefined : { nodeAffinity };
  const { nodeAffinity: own, ...rest } = now as Members;
  const isOnlyOwn = Object.keys(rest).length === 0 && own !== undefined;
  return then === undefined && isOnlyOwn ? undefined : { ...rest, nodeAffinity };
}

function shownField(schemas: Schemas, struct: string, field: string, value: unknown): unknown {
  const shape = schemas.types.get(struct)?.byName.get(field)?.shape;
  return shape === undefined ? value : internalForm(schemas, shape, value);
}
