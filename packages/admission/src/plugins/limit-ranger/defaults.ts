import {
  type KubernetesObject,
  member,
  memberList,
  memberObject,
  memberText,
} from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { metadataOf, withMetadata } from '../../write/metadata.ts';
import { withSpec } from '../with-spec.ts';
import { limitsOf } from './constraints.ts';

const annotation = 'kubernetes.io/limit-ranger';

type Amounts = Readonly<Record<string, unknown>>;

/** The requests and limits that containers get where they set none. */
interface Defaults {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/**
 * Returns a pod whose containers have the default requests and limits of a LimitRange, with an annotation that says so.
 * Returns undefined if all of them are set (`PodMutateLimitFunc`).
 */
export function withDefaults(
  limitRange: KubernetesObject,
  pod: KubernetesObject,
): KubernetesObject | undefined {
  const defaults = defaultsOf(limitRange);
  const spec = member(pod, 'spec');
  const notes: string[] = [];
  const changed: Record<string, unknown> = {};
  for (const [list, title] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    const before = notes.length;
    const containers = memberList(spec, list).map((container) =>
      withContainerDefaults(container as KubernetesObject, defaults, title, notes),
    );
    if (notes.length > before) changed[list] = containers;
  }
  if (notes.length === 0) return undefined;
  const annotations = {
    ...metadataOf(pod).annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
  return withMetadata(withSpec(pod, changed), { annotations });
}

function defaultsOf(limitRange: KubernetesObject): Defaults {
  const containers = limitsOf(limitRange).filter(
    (limit) => memberText(limit, 'type') === 'Container',
  );
  const all = (name: string): Amounts =>
    Object.assign({}, ...containers.map((limit) => memberObject(limit, name)));
  return { requests: all('defaultRequest'), limits: all('default') };
}

function withContainerDefaults(
  container: KubernetesObject,
  defaults: Defaults,
  title: string,
  notes: string[],
): KubernetesObject {
  const resources = memberObject(container, 'resources');
  const changes: Record<string, Amounts> = {};
  for (const [part, noun] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const own = memberObject(resources, part);
    const missing = Object.keys(defaults[part])
      .filter((name) => !Object.hasOwn(own, name))
      .sort(compareText);
    if (missing.length === 0) continue;
    changes[part] = { ...own, ...pick(defaults[part], missing) };
    notes.push(`${missing.join(', ')} ${noun} for ${title} ${memberText(container, 'name')}`);
  }
  return Object.keys(changes).length === 0
    ? container
    : { ...container, resources: { ...resources, ...changes } };
}

function pick(amounts: Amounts, names: readonly string[]): Amounts {
  return Object.fromEntries(names.map((name) => [name, amounts[name]]));
}
