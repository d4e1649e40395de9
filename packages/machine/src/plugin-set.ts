import type { PluginSet } from '@kubeadmit/admission/plugins';
import { newestMinor, parseVersion } from '@kubeadmit/engine';
import { CaseFailure } from './case.ts';

/**
 * Loads the admission plugins of a case.
 *
 * @throws CaseFailure for an unknown or unsupported plugin
 */
export async function pluginSet(
  plugins: 'default' | 'policies' | readonly string[],
  version: string | undefined,
): Promise<PluginSet> {
  const { loadPlugins } = await import('@kubeadmit/admission/plugins');
  try {
    const minor = version === undefined ? newestMinor : parseVersion(version);
    return await loadPlugins({ plugins, minor });
  } catch (error) {
    if (error instanceof TypeError) throw new CaseFailure(error.message);
    throw error;
  }
}
