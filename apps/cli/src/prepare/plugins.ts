import { isPoliciesOnly, type PluginChoice, pluginProblem } from '@kubeadmit/chain/plugins';
import type { PluginRun } from '@kubeadmit/check';
import { CommandFailure } from '../process/terminal.ts';

/**
 * Returns the admission plugins of a run; undefined if only policies and webhooks run.
 *
 * @throws CommandFailure for an unknown or unsupported plugin
 */
export async function pluginRun(
  choice: PluginChoice | undefined,
  kubernetesVersion: string | undefined,
  settings: Omit<PluginRun, keyof PluginChoice> = {},
): Promise<PluginRun | undefined> {
  if (choice === undefined || isPoliciesOnly(choice)) return undefined;
  const problem = await pluginProblem(choice, kubernetesVersion);
  if (problem !== undefined) throw new CommandFailure(`--plugins: ${problem}`);
  return { ...choice, ...settings };
}
