import { makePluginSet, type PluginSet } from './plugin-set.ts';
import { type PluginSelection, selectedPlugins } from './select-plugins.ts';

/** The choice of admission plugins. */
export interface PluginOptions {
  readonly plugins: PluginSelection;
  /** The minor version of the server, such as 37. */
  readonly minor: number;
}

/**
 * Makes the set of selected plugins for `ClusterOptions.plugins`.
 *
 * @throws TypeError for an unknown or unsupported plugin
 */
export function loadPlugins({ plugins, minor }: PluginOptions): PluginSet {
  return makePluginSet(selectedPlugins(plugins, minor));
}
