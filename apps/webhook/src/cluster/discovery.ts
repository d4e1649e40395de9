import type { ServedKind } from '@kubeadmit/chain/scan';
import { matchesWildcard } from '@kubeadmit/kyverno/patterns';
import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';

/** A resource that a cluster serves. */
export interface ServedResource extends ServedKind {
  /** `/apis/GROUP/VERSION/RESOURCE`. */
  readonly path: string;
  readonly apiVersion: string;
  readonly isNamespaced: boolean;
  readonly verbs: ReadonlySet<string>;
}

/** A resource by its kind, or by its plural if the kind is empty. */
export interface WantedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource?: string;
}

const notFound = 404;

/** The resources of a cluster, as it last listed them. */
export class Discovery {
  readonly #client: Pick<ApiClient, 'ask'>;
  readonly #known: Map<string, readonly ServedResource[]> = new Map();
  #preferred: readonly ServedResource[] = [];
  #silent: readonly string[] = [];

  constructor(client: Pick<ApiClient, 'ask'>) {
    this.#client = client;
  }

  /** Each resource in the preferred version of its group, or in the first version that serves it. */
  get resources(): readonly ServedResource[] {
    return this.#preferred;
  }

  /** The group versions that did not answer, because the server behind an aggregated API cannot be reached. */
  get silent(): readonly string[] {
    return this.#silent;
  }

  /**
   * Lists the resources again; those of a group that does not answer stay as they were.
   *
   * @throws ApiError if the groups cannot be listed
   */
  async refresh(): Promise<void> {
    const { groups } = JSON.parse(await this.#client.ask('/apis')) as GroupList;
    const versions = groups.flatMap(({ preferredVersion, versions: all }) => [
      preferredVersion.groupVersion,
      ...all.map(({ groupVersion }) => groupVersion),
    ]);
    const before = new Map(this.#known);
    this.#known.clear();
    const found = new Map<string, ServedResource>();
    const silent: string[] = [];
    for (const apiVersion of new Set(['v1', ...versions])) {
      const present = await this.#resourcesOf(apiVersion).catch(() => undefined);
      if (present === undefined) silent.push(apiVersion);
      for (const each of present ?? before.get(apiVersion) ?? []) {
        const key = `${each.group}/${each.resource}`;
        if (!found.has(key)) found.set(key, each);
      }
    }
    this.#preferred = [...found.values()];
    this.#silent = silent;
  }

  /** Returns the resource of a kind in any version that is served, or `undefined`. */
  async find(apiVersion: string, kind: string): Promise<ServedResource | undefined> {
    const resources = await this.#resourcesOf(apiVersion);
    return resources.find((each) => each.kind === kind);
  }

  /** Returns the resources of a group and version, which may be wildcards, by their kind or their plural. */
  async select(wanted: WantedResource): Promise<readonly ServedResource[]> {
    const { group, version, kind, resource = '' } = wanted;
    const isExact = ![group, version].some((text) => /[*?]/.test(text));
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const resources = isExact ? await this.#resourcesOf(apiVersion) : this.#preferred;
    return resources.filter((each) => {
      const isVersion =
        isExact || (matchesWildcard(group, each.group) && matchesWildcard(version, each.version));
      const isNamed = kind === '' ? each.resource === resource : matchesWildcard(kind, each.kind);
      return isVersion && isNamed;
    });
  }

  async #resourcesOf(apiVersion: string): Promise<readonly ServedResource[]> {
    const known = this.#known.get(apiVersion);
    if (known !== undefined) return known;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const found = (await this.#resourceList(root))
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced, verbs }) => ({
        ...{ group, version, kind, resource: name, apiVersion, path: `${root}/${name}` },
        isNamespaced: namespaced,
        verbs: new Set(verbs),
      }));
    this.#known.set(apiVersion, found);
    return found;
  }

  async #resourceList(root: string): Promise<ResourceList['resources']> {
    try {
      return (JSON.parse(await this.#client.ask(root)) as ResourceList).resources;
    } catch (error) {
      if (error instanceof ApiError && error.code === notFound) return [];
      throw error;
    }
  }
}

/** Returns the path of an object. */
export function objectPath(
  { path, isNamespaced, resource }: ServedResource,
  namespace: string,
  name: string,
): string {
  const version = path.slice(0, -resource.length);
  const within = encodeURIComponent(namespace || 'default');
  const folder = isNamespaced ? `${version}namespaces/${within}/${resource}` : path;
  return name === '' ? folder : `${folder}/${encodeURIComponent(name)}`;
}

interface GroupList {
  readonly groups: readonly {
    readonly preferredVersion: GroupVersion;
    readonly versions: readonly GroupVersion[];
  }[];
}

interface GroupVersion {
  readonly groupVersion: string;
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}
