import type { PluginTrace } from '@kubeadmit/admission/unstable-internal';
import { defined } from '@kubeadmit/base';
import { objectTitle, operationsOf, pluginChanges } from '@kubeadmit/chain/findings';
import type { ExplainedPlugin } from './explanation.ts';

/** Explains the admission plugins that acted, in order; empty if there are none. */
export function explainPlugins(trace: readonly PluginTrace[]): {
  readonly plugins?: readonly ExplainedPlugin[];
} {
  const plugins = trace
    .map((one): ExplainedPlugin => {
      const { plugin, pass, outcome, causes, denial, warnings } = one;
      return defined({
        plugin,
        pass: pass === 2 ? 2 : undefined,
        outcome,
        causes: causes.map(objectTitle),
        message: denial?.message,
        warnings,
        patch: outcome === 'changed' ? pluginChanges([one]).flatMap(operationsOf) : undefined,
      });
    })
    .filter(({ outcome, patch = [] }) => outcome !== 'changed' || patch.length > 0);
  return plugins.length === 0 ? {} : { plugins };
}
