import { closest, describeValue, didYouMean } from '@kubeadmit/base';
import { orderedPluginNames } from './plugin-names.data.ts';

/** A set of plugins by name, or the plugins themselves. */
export type PluginSelection = 'default' | 'policies' | 'none' | 'envtest' | readonly string[];

/** The plugins that run policies and webhooks. */
const policyPlugins = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
];

/**
 * Returns the names of the selected plugins that a version has.
 *
 * - `default`: those that kube-apiserver enables by default
 * - `envtest`: the same without ServiceAccount (controller-runtime pkg/internal/testing/controlplane)
 * - `policies`: those of policies and webhooks
 * - `none`: no plugin
 *
 * @throws TypeError for an unknown set and for an unknown or unsupported plugin
 */
export function selectedPlugins(selection: PluginSelection, minor: number): readonly string[] {
  if (!Number.isInteger(minor))
    throw new TypeError(
      `selectedPlugins: expected a minor version such as 37, got ${describeValue(minor)}`,
    );
  if (selection === 'none') return [];
  if (selection === 'policies') return policyPlugins;
  const available = orderedPluginNames.filter(({ since = 0 }) => since <= minor);
  if (selection === 'default' || selection === 'envtest') {
    return available
      .filter(({ isDefault }) => isDefault)
      .map(({ name }) => name)
      .filter((name) => selection === 'default' || name !== 'ServiceAccount');
  }
  if (!Array.isArray(selection)) {
    throw new TypeError(
      `selectedPlugins: expected default, envtest, policies, none or a list of names, got ${describeValue(selection)}`,
    );
  }
  for (const name of selection) {
    if (typeof name !== 'string') {
      throw new TypeError(`selectedPlugins: expected a name, got ${describeValue(name)}`);
    }
    const problem = pluginNameProblem(name);
    if (problem !== undefined) throw new TypeError(problem);
  }
  return available.map(({ name }) => name).filter((name) => selection.includes(name));
}

/** Whether kube-apiserver of a minor version, such as 37, has an admission plugin. */
export function isPluginName(name: string, minor: number): boolean {
  return orderedPluginNames.some((plugin) => plugin.name === name && (plugin.since ?? 0) <= minor);
}

/** Returns why a plugin cannot be selected; undefined if it can. */
export function pluginNameProblem(name: string): string | undefined {
  const names = orderedPluginNames.map((plugin) => plugin.name);
  if (!names.includes(name)) {
    return `unknown admission plugin "${name}"${didYouMean(closest(name, names))}`;
  }
  const reason = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined;
  return reason && `unsupported admission plugin "${name}": ${reason}`;
}

/** The plugins that cannot be selected, with the reason. */
const unsupported: Readonly<Record<string, string>> = {
  ImagePolicyWebhook: 'it calls an image policy server',
};
