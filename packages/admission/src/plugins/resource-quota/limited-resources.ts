import type { KubernetesObject } from '@kubeadmit/apimachinery';
import {
  failureStatus,
  memberObjects,
  memberText,
  memberTexts,
  signOfQuantity,
} from '@kubeadmit/apimachinery/internal';
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

/** Reads the limited resources of the plugin's configuration. */
export function readLimitedResources(configuration: KubernetesObject): readonly LimitedResource[] {
  return memberObjects(configuration, 'limitedResources').map((limited) => ({
    group: memberText(limited, 'apiGroup'),
    resource: memberText(limited, 'resource'),
    matchContains: memberTexts(limited, 'matchContains'),
    matchScopes: readScopes(memberObjects(limited, 'matchScopes')),
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
