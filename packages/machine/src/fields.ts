import { isRecord } from '@kubeadmit/manifest';
import { type Case, CaseFailure } from './case.ts';

/** The resources of a case and the version of its server. */
export interface CaseCluster {
  readonly resources: readonly unknown[];
  readonly kubernetesVersion?: string;
  /** Admission plugins beside policies; absent for policies alone. */
  readonly plugins?: 'default' | readonly string[];
}

/**
 * The fields that cases share which are about a cluster.
 *
 * @throws CaseFailure when one of them has the wrong type.
 */
export function clusterOf(input: Case): CaseCluster {
  const resources = ownField(input, 'resources') ?? [];
  if (!Array.isArray(resources)) throw new CaseFailure('not a case: `resources` must be a list');
  const version = optionalText(input, 'kubernetesVersion');
  const plugins = pluginsOf(input, 'policies');
  return {
    resources,
    ...(version === undefined ? {} : { kubernetesVersion: version }),
    ...(plugins === 'policies' ? {} : { plugins }),
  };
}

/**
 * The admission plugins of a case: `default`, `policies` or a list of names.
 *
 * @throws CaseFailure for anything else.
 */
export function pluginsOf(
  input: Case,
  byDefault: 'default' | 'policies',
): 'default' | 'policies' | readonly string[] {
  const plugins = ownField(input, 'plugins') ?? byDefault;
  if (plugins === 'default' || plugins === 'policies') return plugins;
  const isList = Array.isArray(plugins) && plugins.every((name) => typeof name === 'string');
  if (isList) return plugins;
  throw new CaseFailure(
    'not a case: `plugins` must be "default", "policies" or a list of plugin names',
  );
}

/** A field that must be a string when it is there; null counts as absent. */
export function optionalText(input: Case, name: string): string | undefined {
  const value = ownField(input, name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw new CaseFailure(`not a case: \`${name}\` must be a string`);
  }
  return value;
}

/** A field that must be an object when it is there; null counts as absent. */
export function optionalObject(input: Case, name: string): Case | undefined {
  const value = ownField(input, name) ?? undefined;
  if (value !== undefined && !isRecord(value)) {
    throw new CaseFailure(`not a case: \`${name}\` must be an object`);
  }
  return value;
}

/** A field of a case, whatever it is. */
export function ownField(input: Case, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}
