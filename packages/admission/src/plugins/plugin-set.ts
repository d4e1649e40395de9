import type { AdmissionPlugin } from './plugin.ts';
import { orderedPluginNames } from './plugin-names.data.ts';

/** The enabled plugins around the policies and webhooks of one phase, in order. */
export interface PluginPhase {
  /** The plugins that run before the policies. */
  readonly before: readonly AdmissionPlugin[];
  /** The plugins that run after the policies. */
  readonly after: readonly AdmissionPlugin[];
}

/** The enabled plugins of a server. */
export interface PluginSet {
  /** The names of all enabled plugins, those of policies and webhooks too. */
  readonly names: ReadonlySet<string>;
  /** The plugins that change or refuse objects, before they are validated. */
  readonly mutate: PluginPhase;
  /** The plugins that refuse complete objects. */
  readonly validate: PluginPhase;
  /** The resources that the plugins read from the cluster. */
  readonly reads: ReadonlySet<string>;
  /** The plugins that complete objects as controllers do, by the resource that they read first. */
  readonly completing: ReadonlyMap<string, NonNullable<AdmissionPlugin['complete']>>;
}

/**
 * Makes the set of enabled plugins.
 *
 * @param names the enabled plugins, in any order
 * @param plugins the plugins with these names; the last of two with one name is used
 */
export function makePluginSet(
  names: Iterable<string>,
  plugins: readonly AdmissionPlugin[],
): PluginSet {
  const enabled = new Set(names);
  const own = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const inOrder = orderedPluginNames
    .filter(({ name }) => enabled.has(name))
    .map(({ name }) => own.get(name) ?? { name, operations: [] });
  return {
    names: enabled,
    mutate: phase(inOrder, 'mutate'),
    validate: phase(inOrder, 'validate'),
    reads: new Set(inOrder.flatMap(({ reads = [] }) => reads)),
    completing: new Map(
      inOrder.flatMap(({ reads = [], complete }) =>
        reads[0] === undefined || complete === undefined ? [] : [[reads[0], complete] as const],
      ),
    ),
  };
}

/** The places of the policies, which no plugin with steps lies between. */
const places = { mutate: 'MutatingAdmissionPolicy', validate: 'ValidatingAdmissionPolicy' };

function phase(inOrder: readonly AdmissionPlugin[], step: 'mutate' | 'validate'): PluginPhase {
  const place = orderOf(places[step]);
  const acting = inOrder.filter((plugin) => plugin[step] !== undefined);
  return {
    before: acting.filter(({ name }) => orderOf(name) < place),
    after: acting.filter(({ name }) => orderOf(name) > place),
  };
}

function orderOf(plugin: string): number {
  return orderedPluginNames.findIndex(({ name }) => name === plugin);
}
