// The admission plugins that run in a chain, and the objects that they read.

export { defaultPluginsFor } from './chain/default-plugins.ts';
export type { ChainPlugins } from './chain/manifest-cluster.ts';
export type { AssumedByPlugins } from './chain/plugin-assumptions.ts';
export {
  isPoliciesOnly,
  type PluginChoice,
  pluginProblem,
  pluginsOfCases,
} from './chain/plugin-choice.ts';
export { isReadByPlugins, pluginObjects } from './chain/plugin-manifests.ts';
