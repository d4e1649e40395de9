import { errorText, type OptionKind, requireOptions } from '@kubeadmit/base';
import { quote } from '@kubeadmit/go';
import { defaultPlugins } from './default-plugins.ts';
import { InitializationError } from './plugins/initialization-error.ts';
import type { AdmissionPlugin, Warn } from './plugins/plugin.ts';
import { orderedPluginNames } from './plugins/plugin-names.data.ts';
import { makePluginSet, type PluginSet } from './plugins/plugin-set.ts';
import {
  type PluginSelection,
  pluginNameProblem,
  selectedPlugins,
} from './plugins/select-plugins.ts';

/** The choice of admission plugins. */
export interface PluginOptions {
  /** A set by its name, or the names of plugins. */
  readonly plugins: PluginSelection;
  /** More plugins, as `--enable-admission-plugins` of kube-apiserver; default none. */
  readonly enable?: readonly string[] | undefined;
  /** Fewer plugins, as `--disable-admission-plugins` of kube-apiserver; default none. */
  readonly disable?: readonly string[] | undefined;
  /**
   * The configurations of plugins by their names, from an AdmissionConfiguration, in YAML or JSON. With a map, also an
   * empty one, plugins that require a configuration are refused without one. Default: none is read or required.
   */
  readonly configurations?: ReadonlyMap<string, string> | undefined;
  /** Receives the parts of a configuration that are ignored, such as a misspelled field; default it is not reported. */
  readonly warn?: ((text: string) => void) | undefined;
  /** The minor version of the server, such as 37. */
  readonly minor: number;
}

const optionKinds: Readonly<Record<keyof PluginOptions, OptionKind>> = {
  plugins: 'any',
  enable: 'list',
  disable: 'list',
  configurations: 'object',
  warn: 'function',
  minor: 'number',
};

/**
 * Makes the set of selected plugins for `ClusterOptions.plugins`.
 *
 * Rejects with a TypeError for invalid options and for an unknown or unsupported plugin, and with an Error that has
 * kube-apiserver's text for an invalid configuration.
 */
export async function loadPlugins(options: PluginOptions): Promise<PluginSet> {
  requireOptions('loadPlugins', options, optionKinds);
  const { plugins, enable = [], disable = [], minor } = options;
  if (minor === undefined) throw new TypeError('loadPlugins: `minor` is undefined');
  const { configurations, warn = () => {} } = options;
  if (configurations !== undefined && !(configurations instanceof Map))
    throw new TypeError('loadPlugins: `configurations` is not a Map');
  for (const name of [...enable, ...disable]) {
    const problem = pluginNameProblem(name);
    if (problem !== undefined) throw new TypeError(problem);
  }
  const selected = selectedPlugins(plugins, minor).filter((name) => !disable.includes(name));
  const names = [...selected, ...selectedPlugins(enable, minor)];
  const isDefault = (plugin: string): boolean =>
    orderedPluginNames.some((one) => one.name === plugin && one.isDefault);
  const optional = names.every(isDefault)
    ? []
    : (await import('./optional-plugins.ts')).optionalPlugins;
  const running = [...defaultPlugins, ...optional].filter(({ name }) => names.includes(name));
  const configured = configurations === undefined ? [] : configure(running, configurations, warn);
  return makePluginSet(names, [...running, ...configured]);
}

/** Returns the set of plugins that kube-apiserver of a minor version enables by default. */
export function defaultPluginSet(minor: number): PluginSet {
  return makePluginSet(selectedPlugins('default', minor), defaultPlugins);
}

function configure(
  plugins: readonly AdmissionPlugin[],
  configurations: ReadonlyMap<string, string>,
  warn: Warn,
): readonly AdmissionPlugin[] {
  return plugins.flatMap((plugin) => {
    const { name } = plugin;
    const configuration = configurations.get(name);
    if (configuration === undefined && plugin.unconfigured === undefined) return [];
    return [
      initialized(name, () => {
        if (configuration === undefined) throw new Error(plugin.unconfigured);
        const what = `the configuration of the admission plugin ${quote(name)}`;
        return plugin.configure?.(configuration, (text) => warn(`${what}: ${text}`)) ?? plugin;
      }),
    ];
  });
}

/** Makes a configured plugin; the text of an error names it (apiserver admission/plugins.go `InitPlugin`). */
function initialized(name: string, make: () => AdmissionPlugin): AdmissionPlugin {
  try {
    return make();
  } catch (error) {
    const what = error instanceof InitializationError ? 'failed to initialize' : "couldn't init";
    throw new Error(`${what} admission plugin ${quote(name)}: ${errorText(error)}`);
  }
}
