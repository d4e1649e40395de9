import {
  formatFieldError,
  memberList,
  memberObjects,
  memberText,
  memberTexts,
  objectOf,
} from '@kubeadmit/apimachinery';
import { formatAggregate, required } from '@kubeadmit/apimachinery/field-errors';
import { signOfQuantity } from '@kubeadmit/apimachinery/quantity';
import { failureStatus } from '@kubeadmit/apimachinery/status';
import { decodeKindsStrictly, type KnownKind, knownKind } from '../../decode/decode-kinds.ts';
import { listType, stringType, structType } from '../../decode/decode-struct.ts';
import type { ResourceList } from '../../resources/resource-list.ts';
import type { PluginOutcome } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import type { Scope } from './evaluator.ts';
import { readScopes } from './quota-scopes.ts';

/** A resource that may only be used with a quota that covers it (`LimitedResource` of the configuration). */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** The parts of names that are limited, such as `.storageclass.storage.k8s.io/requests.storage`. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly Scope[];
}

const requirement = structType('v1.ScopedResourceSelectorRequirement', {
  scopeName: stringType('v1.ResourceQuotaScope'),
  operator: stringType('v1.ScopeSelectorOperator'),
  values: listType(stringType()),
});

function kindOf(apiVersion: string, kind: string): KnownKind {
  const version = apiVersion.replace(/^.*\//, '');
  const limited = structType(`${version}.LimitedResource`, {
    apiGroup: stringType(),
    resource: stringType(),
    matchContains: listType(stringType()),
    matchScopes: listType(requirement),
  });
  const fields = { limitedResources: listType(limited) };
  return knownKind(apiVersion, kind, { fields, struct: 'Configuration' });
}

const kinds = [
  kindOf('apiserver.config.k8s.io/v1', 'ResourceQuotaConfiguration'),
  kindOf('resourcequota.admission.k8s.io/v1beta1', 'Configuration'),
  kindOf('resourcequota.admission.k8s.io/v1alpha1', 'Configuration'),
];

/**
 * Reads the limited resources of the plugin's configuration.
 *
 * @throws Error with kube-apiserver's text if it is invalid
 */
export function readLimitedResources(configuration: string): readonly LimitedResource[] {
  const { object } = decodeKindsStrictly(configuration, kinds);
  const limited = memberList(object, 'limitedResources').map(objectOf);
  const problems = limited.flatMap((each, at) =>
    memberText(each, 'resource') === '' ? [required(`limitedResources[${at}].resource`)] : [],
  );
  if (problems.length > 0) throw new Error(formatAggregate(problems.map(formatFieldError)));
  return limited.map((each) => ({
    group: memberText(each, 'apiGroup'),
    resource: memberText(each, 'resource'),
    matchContains: memberTexts(each, 'matchContains'),
    matchScopes: readScopes(memberObjects(each, 'matchScopes')),
  }));
}

/** Returns the names that an object uses and that need a quota (`limitedByDefault`). */
export function limitedNames(
  usage: ResourceList,
  limited: readonly LimitedResource[],
  { group, resource }: { readonly group: string; readonly resource: string },
): readonly string[] {
  const parts = limited
    .filter((each) => each.group === group && each.resource === resource)
    .flatMap(({ matchContains }) => matchContains);
  return [...usage]
    .filter(([name, amount]) => {
      return signOfQuantity(amount) > 0 && parts.some((part) => name.includes(part));
    })
    .map(([name]) => name);
}

/** Returns the scopes that need a quota. */
export function limitedScopes(limited: readonly LimitedResource[]): readonly Scope[] {
  return limited.flatMap(({ matchScopes }) => matchScopes);
}

/** Refuses an object in limited scopes that no quota has. */
export function uncovered(
  scopes: readonly Scope[],
  restricted: readonly Scope[],
): PluginOutcome | undefined {
  const open = scopes.filter(
    ({ scopeName }) => !restricted.some((each) => each.scopeName === scopeName),
  );
  if (open.length === 0) return undefined;
  const shown = open.map(
    ({ scopeName, operator, values }) => `{${scopeName} ${operator} [${values.join(' ')}]}`,
  );
  return refuse(
    failureStatus(500, `insufficient quota to match these scopes: [${shown.join(' ')}]`),
  );
}
