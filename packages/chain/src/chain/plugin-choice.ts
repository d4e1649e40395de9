import { newestMinor, parseVersion } from '@kubeadmit/engine';
import type { ChainPlugins } from './manifest-cluster.ts';

/** The selected admission plugins: a set with more plugins, or a list of plugins. */
export type PluginChoice = Pick<ChainPlugins, 'selection' | 'enable'>;

/** Returns why plugins cannot be selected; undefined if they can. */
export async function pluginProblem(
  { selection, enable = [] }: PluginChoice,
  kubernetesVersion: string | undefined,
): Promise<string | undefined> {
  const { selectedPlugins } = await import('@kubeadmit/admission/plugins');
  const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
  try {
    for (const names of [selection, enable]) selectedPlugins(names, minor);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

/**
 * Returns the field `plugins` of cases of the machine command `admit`; undefined for policies alone, its default.
 *
 * @throws TypeError for an unknown or unsupported plugin
 */
export async function pluginsOfCases(
  choice: PluginChoice,
  kubernetesVersion: string | undefined,
): Promise<'default' | readonly string[] | undefined> {
  const { selection, enable = [] } = choice;
  if (isPoliciesOnly(choice)) return undefined;
  if (selection === 'default' && enable.length === 0) return 'default';
  const { selectedPlugins } = await import('@kubeadmit/admission/plugins');
  const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
  return [...new Set([selection, enable].flatMap((names) => selectedPlugins(names, minor)))];
}

/** Whether a choice runs policies and webhooks only. */
export function isPoliciesOnly({ selection, enable = [] }: PluginChoice): boolean {
  return selection === 'policies' && enable.length === 0;
}
