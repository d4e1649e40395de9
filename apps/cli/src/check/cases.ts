import { pluginObjects, pluginsOfCases } from '@kubeadmit/chain/plugins';
import { objectNamespace } from '@kubeadmit/chain/requests';
import type { PreparedCheck } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go';
import type { InputOptions } from '../prepare/options.ts';
import { pluginRun } from '../prepare/plugins.ts';

/**
 * Returns the requests of a check as cases of `kubeadmit machine admit -`, one line each.
 *
 * An id consists of the file and the object; a number distinguishes objects with the same name.
 *
 * @throws CommandFailure for an unknown or unsupported plugin
 */
export async function casesOf(
  prepared: PreparedCheck,
  options: InputOptions,
): Promise<readonly string[]> {
  const { kubernetesVersion } = options;
  const run = await pluginRun(options.plugins, kubernetesVersion);
  const plugins = run && (await pluginsOfCases(run, kubernetesVersion));
  const settings = { ...prepared, namespace: options.namespace };
  const ofPlugins = plugins === undefined ? new Map() : pluginObjects(settings);
  const held = prepared.held.filter((manifest) => !ofPlugins.has(manifest));
  const policies = held.map(({ object }) => object);
  const used = new Map<string, number>();
  return prepared.requests.map(({ manifest, request }) => {
    const kind = request.kind?.kind;
    const path = [objectNamespace(request), request.name ?? manifest.name]
      .filter(Boolean)
      .join('/');
    const base = `${manifest.file}: ${request.operation} ${kind} ${path}`;
    const count = (used.get(base) ?? 0) + 1;
    used.set(base, count);
    const id = count === 1 ? base : `${base} (${count})`;
    // An object that is about to be created does not exist yet.
    const others = [...ofPlugins].flatMap(([one, object]) => (one === manifest ? [] : [object]));
    const resources = [...policies, ...others];
    return `${stringifyJson({ id, kubernetesVersion, resources, plugins, request })}\n`;
  });
}
