import type { PluginCluster, PluginRequest } from '../plugin.ts';

/** A request of a kubelet, and the name of its node. */
export interface NodeRequest {
  readonly request: PluginRequest;
  readonly node: string;
  readonly cluster: PluginCluster;
}
