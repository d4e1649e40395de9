import { makePluginSet, type PluginSet } from './plugin-set.ts';
import { type PluginSelection, pluginNameProblem, selectedPlugins } from './select-plugins.ts';

/** The choice of admission plugins. */
export interface PluginOptions {
  readonly plugins: PluginSelection;
  /** More plugins, as `--enable-admission-plugins` of kube-apiserver; default none. */
  readonly enable?: readonly string[] | undefined;
  /** Fewer plugins, as `--disable-admission-plugins` of kube-apiserver; default none. */
  readonly disable?: readonly string[] | undefined;
  /** The minor version of the server, such as 37. */
  readonly minor: number;
}

/**
 * Makes the set of selected plugins for `ClusterOptions.plugins`.
 *
 * @throws TypeError for an unknown or unsupported plugin
 */
export function loadPlugins({
  plugins,
  enable = [],
  disable = [],
  minor,
}: PluginOptions): PluginSet {
  for (const name of [...enable, ...disable]) {
    const problem = pluginNameProblem(name);
    if (problem !== undefined) throw new TypeError(problem);
  }
  const selected = selectedPlugins(plugins, minor).filter((name) => !disable.includes(name));
  return makePluginSet([...selected, ...selectedPlugins(enable, minor)]);
}
