// The admission plugins of kube-apiserver beside policies. A separate entry, so that a page that only evaluates
// policies loads none of them.

export { defaultPluginSet, loadPlugins, type PluginOptions } from './load-plugins.ts';
export type {
  AdmissionPlugin,
  PluginCluster,
  PluginCount,
  PluginOutcome,
  PluginRequest,
  PluginStep,
  PluginWrite,
} from './plugins/plugin.ts';
export { configurablePlugins } from './plugins/plugin-names.data.ts';
export type { PluginPhase, PluginSet } from './plugins/plugin-set.ts';
export { isPluginName, type PluginSelection, selectedPlugins } from './plugins/select-plugins.ts';
