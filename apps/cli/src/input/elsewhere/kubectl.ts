import { formatGroupVersion, member } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { jsonObject } from '@kubeadmit/files';
import type { InputProblem } from '@kubeadmit/manifest';
import { newestVersion } from '@kubeadmit/schemas';
import { CommandFailure, exitCode } from '../../process/terminal.ts';
import { ElsewhereError } from '../local/found-text.ts';
import { outputOf } from './programs.ts';

/** The settings that select a cluster and the way to reach it. */
export interface ClusterSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The context of the kubeconfig. */
  readonly context: string;
  readonly kubeconfig?: string | undefined;
}

/** A resource as discovery has it. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/** How many objects one answer holds. */
const pageSize = 500;

/** The text of one answer may have. */
const largestAnswer = 2 ** 30;

/**
 * Asks a cluster through the user's own `kubectl`, which knows how to get to it and as whom.
 *
 * All methods throw CommandFailure with exit code 4 where the cluster cannot be reached or does not allow it.
 */
export class ClusterReader {
  readonly #settings: ClusterSettings;
  readonly #served = new Map<string, readonly ServedResource[]>();

  constructor(settings: ClusterSettings) {
    this.#settings = settings;
  }

  /** How people call the cluster. */
  get name(): string {
    return this.#settings.context;
  }

  /**
   * Returns the version of the server; if it is newer than all supported versions, reports that and returns the
   * newest.
   */
  knownVersion(note: (problem: InputProblem) => void): string {
    const version = this.#version();
    const minor = (text: string): number => Number(text.replace(/^1\./, ''));
    if (!(minor(version) > minor(newestVersion))) return version;
    const message = `the server runs Kubernetes ${version}, which is newer than all supported versions; ${newestVersion} is used instead`;
    note({ file: `cluster ${this.name}`, message });
    return newestVersion;
  }

  /** The version of the server: `1.37`. */
  #version(): string {
    const { major, minor } = this.#json('/version');
    const version = `${major}.${/^\d+/.exec(String(minor))?.[0]}`;
    if (!/^\d+\.\d+$/.test(version)) throw unreachable(this.name, 'it does not report its version');
    return version;
  }

  /** The resources that can be listed, of each group in the version that the server prefers. */
  resources(): readonly ServedResource[] {
    const groups = this.#listIn('/apis', 'groups', this.#json('/apis'));
    const versions = groups.map((group) =>
      String(member(member(group, 'preferredVersion'), 'groupVersion')),
    );
    return ['v1', ...versions].flatMap((each) => this.resourcesOf(each));
  }

  /** The resources of a version that can be listed; none where it is not served. */
  resourcesOf(groupVersion: string): readonly ServedResource[] {
    return getOrMake(this.#served, groupVersion, () => {
      const [version = '', group = ''] = groupVersion.split('/').toReversed();
      const path = pathOf(groupVersion);
      const answer = this.#optional(path);
      const listed = answer === undefined ? [] : this.#listIn(path, 'resources', answer);
      return (listed as readonly ListedResource[])
        .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'))
        .map(({ name: plural, kind, namespaced: isNamespaced }) => ({
          group,
          version,
          plural,
          kind,
          isNamespaced,
        }));
    });
  }

  /** The objects of a resource, page by page, each page as the text of a list. */
  *pages(resource: ServedResource, namespace?: string): Generator<string> {
    const { group, version, plural, isNamespaced } = resource;
    const root = pathOf(formatGroupVersion({ group, version }));
    const within = namespace !== undefined && isNamespaced ? `/namespaces/${namespace}` : '';
    let next = '';
    do {
      const query = `?limit=${pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
      const path = `${root}${within}/${plural}${query}`;
      const text = this.#raw(path);
      if (text === undefined) return;
      // The token alone is used here; the objects are read with all of their digits.
      const list = this.#parsed(path, text);
      if (list['items'] !== null) this.#listIn(path, 'items', list);
      yield text;
      next = String(member(list['metadata'], 'continue') ?? '');
    } while (next !== '');
  }

  #json(path: string): Answer {
    const answer = this.#optional(path);
    if (answer === undefined) throw unreachable(this.name, `it does not serve ${path}`);
    return answer;
  }

  #optional(path: string): Answer | undefined {
    const text = this.#raw(path);
    return text === undefined ? undefined : this.#parsed(path, text);
  }

  // The response may come from something other than a Kubernetes server, such as a login page, or may be
  // incomplete.
  #parsed(path: string, text: string): Answer {
    const answer = jsonObject(text);
    if (answer !== undefined) return answer;
    const start = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    const told = start.trim() === '' ? 'nothing' : JSON.stringify(start);
    throw unreachable(this.name, `the response to ${path} is not a Kubernetes object: ${told}`);
  }

  #listIn(path: string, field: string, answer: Answer): readonly unknown[] {
    const list = answer[field];
    if (Array.isArray(list)) return list;
    throw unreachable(this.name, `the response to ${path} has no list in \`${field}\``);
  }

  /** Returns the text of a response, or `undefined` if the path does not exist. */
  #raw(path: string): string | undefined {
    const { context, kubeconfig, env } = this.#settings;
    const args = [
      ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
      '--context',
      context,
      'get',
      '--raw',
      path,
      // Without a timeout, kubectl would wait forever for a server that does not respond.
      '--request-timeout=60s',
    ];
    try {
      const bytes = outputOf('kubectl', args, { env, maxFileSize: largestAnswer });
      if (bytes === undefined) throw new ElsewhereError('kubectl is not installed');
      return Buffer.from(bytes).toString('utf8');
    } catch (error) {
      if (!(error instanceof ElsewhereError)) throw error;
      if (/\(NotFound\)|could not find the requested resource/.test(error.message))
        return undefined;
      throw unreachable(context, error.message);
    }
  }
}

type Answer = Readonly<Record<string, unknown>>;

/** A resource in the answer of discovery. */
interface ListedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

function pathOf(groupVersion: string): string {
  return groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
}

function unreachable(context: string, message: string): CommandFailure {
  return new CommandFailure(`cluster ${context}: ${message}`, exitCode.unreachable);
}

/** The current context of the kubeconfig; undefined if there is none, or no `kubectl`. */
export function currentContext(
  kubeconfig: string | undefined,
  env: ClusterSettings['env'],
): string | undefined {
  const own = kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig];
  try {
    const args = ['config', 'current-context', ...own];
    const bytes = outputOf('kubectl', args, { env, maxFileSize: largestAnswer });
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes).trim() || undefined;
  } catch {
    return undefined;
  }
}
