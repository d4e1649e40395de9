import { type JsonObject, textOf } from '@kubeadmit/apimachinery';
import { CelError } from '@kubeadmit/cel';
import type { RequestAttributes } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import { metadataText } from '../fields/fields.ts';
import { objectKindOf } from '../match/subject.ts';
import type { FindTargets, TargetOutcome, TargetQuery } from '../mutate/targets.ts';
import { conditionsHold, lookupOf } from './evaluate.ts';
import { member, mutateTarget, namedObjects } from './existing.ts';
import type { CelSources } from './libraries/sources.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import { type CelRequest, matchesConstraints, matchesRequest, policyBindings } from './request.ts';

/** The surroundings of existing objects. */
export interface TargetPlace {
  readonly schemas: Schemas;
  readonly sources: CelSources;
  readonly find: FindTargets;
  /** Returns the attributes of an update of an existing object. */
  readonly attributesOf: (target: ExistingObject) => RequestAttributes;
  /** Returns the namespace of an existing object. */
  readonly namespaceOf: (object: JsonObject) => JsonObject | undefined;
}

/** An existing object that a policy may change. */
export interface ExistingObject {
  /** The object. */
  readonly object: JsonObject;
  /** The subresource that is changed; empty for the object itself. */
  readonly subresource: string;
  /** The plural of its resource; undefined if the policy does not name it. */
  readonly resource: string | undefined;
}

/** Whether a policy changes existing objects because of a request; a string is the error. */
export function triggersMutation(policy: CelPolicy, trigger: CelRequest): boolean | string {
  const problems: string[] = [];
  for (const spec of policy.specs) {
    if (spec.targets === undefined) continue;
    const matches = matchesRequest(policy, spec, trigger);
    const holds =
      matches === true
        ? conditionsHold(spec.matchConditions, lookupOf(spec, policyBindings(trigger, true)))
        : matches;
    if (holds === true) return true;
    if (typeof holds === 'string') problems.push(holds);
  }
  return problems.length > 0 ? problems.join('; ') : false;
}

/** Whether an expression of a policy names the existing objects that it changes. */
export function namesTargets({ specs: [spec] }: CelPolicy): boolean {
  return spec?.targets?.expression !== undefined;
}

/**
 * Returns the existing objects as a MutatingPolicy changes them in a cluster (the processor of Kyverno's background
 * controller).
 *
 * @param trigger the request because of which they change; undefined for a change of the policy
 */
export function mutateExistingByCel(
  policy: CelPolicy,
  trigger: CelRequest | undefined,
  place: TargetPlace,
): readonly TargetOutcome[] {
  const [spec] = policy.specs;
  if (spec?.targets === undefined) return [];
  const found =
    spec.targets.expression === undefined
      ? targetsOfConstraints(policy, spec, place.find)
      : targetsOfExpression(policy, spec, trigger, place.find);
  return found.flatMap((one) => {
    if ('problem' in one) return [{ status: 'error' as const, message: one.problem }];
    const outcome = mutateBySpecs(policy, one, trigger, place);
    return outcome === undefined ? [] : [outcome];
  });
}

type Found = ExistingObject | { readonly problem: string };

function targetsOfConstraints(
  { namespace }: CelPolicy,
  { targets }: CompiledSpec,
  find: FindTargets,
): readonly Found[] {
  return (targets?.resources ?? []).flatMap(
    ({ group, version, resource, subresource }): Found[] => {
      // As in Kyverno, constraints for any group or resource name nothing to read.
      if (group === '*' || resource.includes('*')) return [];
      const query: TargetQuery = {
        group,
        version,
        kind: '',
        resource,
        subresource,
        namespace,
        name: '',
      };
      const objects = find(query);
      if (typeof objects === 'string') return [{ problem: objects }];
      return objects
        .filter((object) => namespace === '' || metadataText(object, 'namespace') === namespace)
        .map((object) => ({ object, subresource, resource }));
    },
  );
}

function targetsOfExpression(
  policy: CelPolicy,
  spec: CompiledSpec,
  trigger: CelRequest | undefined,
  find: FindTargets,
): readonly Found[] {
  const expression = spec.targets?.expression;
  if (expression === undefined || trigger === undefined) return [];
  const { value } = expression.evaluate(lookupOf(spec, policyBindings(trigger, true)));
  if (value instanceof CelError) return [{ problem: value.message }];
  return namedObjects(value).flatMap((one): Found[] => {
    const [apiVersion, kind] = [textOf(member(one, 'apiVersion')), textOf(member(one, 'kind'))];
    const metadata = member(one, 'metadata') ?? null;
    const name = textOf(member(metadata, 'name'));
    if (kind === '' || name === '')
      return [{ problem: 'the expression names an object without a kind or name' }];
    const namespace = textOf(member(metadata, 'namespace'));
    // Objects that an author of a namespace wrote may name any others.
    if (policy.namespace !== '' && policy.namespace !== namespace) {
      const named = [kind, namespace, name].filter((part) => part !== '').join('/');
      return [{ problem: `a policy of the namespace ${policy.namespace} cannot mutate ${named}` }];
    }
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const objects = find({ group, version, kind, subresource: '', namespace, name });
    if (typeof objects === 'string') return [{ problem: objects }];
    // An object that was deleted meanwhile is skipped.
    return objects
      .filter(
        (object) =>
          metadataText(object, 'name') === name && metadataText(object, 'namespace') === namespace,
      )
      .map((object) => ({ object, subresource: '', resource: undefined }));
  });
}

function mutateBySpecs(
  policy: CelPolicy,
  target: ExistingObject,
  trigger: CelRequest | undefined,
  place: TargetPlace,
): TargetOutcome | undefined {
  const { object: before, subresource } = target;
  let object = before;
  let outcome: TargetOutcome | undefined;
  for (const spec of policy.specs) {
    const { targets } = spec;
    if (targets?.matchInCluster === undefined) continue;
    const own = place.attributesOf({ ...target, object });
    const operation = trigger?.attributes.operation ?? own.operation;
    const request: CelRequest = {
      attributes: { ...own, operation },
      namespaceObject: place.namespaceOf(object),
      sources: place.sources,
    };
    if (matchesConstraints(targets.matchInCluster, request) !== true) continue;
    const subject = { object, kind: objectKindOf(object) };
    const mutated = mutateTarget(policy, spec, subject, trigger ?? request, place.schemas);
    const { status, message } = mutated.result;
    if (status === 'skip') continue;
    outcome = { status, message, before, subresource };
    if (status === 'error') return outcome;
    object = mutated.object ?? object;
    outcome = { ...outcome, target: object };
  }
  return outcome;
}
