import { isDeepStrictEqual } from 'node:util';
import type { ApiServer, StaticManifest } from '@kubeadmit/apiserver';
import { readErrorText, readText, staticManifestFiles } from '@kubeadmit/files';
import { quote } from '@kubeadmit/go';
import { readManifests, Source } from '@kubeadmit/manifest';
import { LoadError } from './load-error.ts';

const pollMilliseconds = 1_000;

/** A folder of policies or webhook configurations that the server reads from its own disk. */
export interface StaticFolder {
  readonly folder: string;
  /** The kind that the folder is for (default: the kind of its first policy or webhook configuration). */
  readonly folderKind?: StaticManifest['folderKind'];
  /** The plugin that is configured with it. */
  readonly plugin?: string;
}

/** The text of each file of a folder by path, or the file system's error if the folder cannot be read. */
type FolderTexts = ReadonlyMap<string, string> | string;

/**
 * The folders of policies and webhook configurations that the server reads from its own disk.
 *
 * Each folder is used as a unit, at the start and when it has changed and then stayed the same for a second. A
 * problem aborts the start; later, the previous content of the folder stays in use.
 */
export class StaticFolders {
  readonly #server: Pick<ApiServer, 'useStaticManifests'>;
  readonly #tell: (line: string) => void;
  /** The content of each folder at the last poll. */
  readonly #seen: Map<StaticFolder, FolderTexts> = new Map();
  /** The content of each folder that was last validated, whether accepted or not. */
  readonly #judged: Map<StaticFolder, FolderTexts> = new Map();
  readonly #taken: Map<StaticFolder, readonly StaticManifest[]> = new Map();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(server: Pick<ApiServer, 'useStaticManifests'>, tell: (line: string) => void) {
    this.#server = server;
    this.#tell = tell;
  }

  /** @throws LoadError for a folder that cannot be read, and for manifests that the server rejects. */
  start(folders: readonly StaticFolder[]): void {
    for (const place of folders) {
      const texts = readFolder(place.folder);
      this.#seen.set(place, texts);
      this.#judged.set(place, texts);
      const count = this.#takeFirst(place, texts);
      if (count === 0)
        this.#tell(`static manifests: ${place.folder} contains no ${objectsOf(place)}`);
    }
    if (folders.length > 0) this.#timer = setInterval(() => this.#look(), pollMilliseconds);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const [place, before] of this.#seen) {
      const { folder } = place;
      const texts = readFolder(folder);
      this.#seen.set(place, texts);
      // A copy of several files must not be read halfway.
      const isSteady = isDeepStrictEqual(texts, before);
      if (!isSteady || isDeepStrictEqual(texts, this.#judged.get(place))) continue;
      this.#judged.set(place, texts);
      try {
        const count = this.#take(place, texts);
        this.#tell(`static manifests: ${folder} has changed; loaded ${count} objects`);
      } catch (error) {
        if (!(error instanceof LoadError)) throw error;
        for (const line of error.message.split('\n')) this.#tell(`static manifests: ${line}`);
        this.#tell(
          `static manifests: ${folder} has problems; its previous content stays in effect`,
        );
      }
    }
  }

  #takeFirst(place: StaticFolder, texts: FolderTexts): number {
    try {
      return this.#take(place, texts);
    } catch (error) {
      if (!(error instanceof LoadError)) throw error;
      throw new LoadError(firstText(place, error.message));
    }
  }

  /** Uses the content of a folder in addition to the others, and returns the number of its objects. */
  #take(place: StaticFolder, texts: FolderTexts): number {
    const { folder, folderKind } = place;
    if (typeof texts === 'string') throw new LoadError(`${folder}: ${texts}`);
    const manifests = [...texts]
      .flatMap(([file, text]) => manifestsOf(file, text))
      .map((manifest) => ({ ...manifest, folderKind }));
    const all = new Map([...this.#taken, [place, manifests]]);
    const errors = this.#server.useStaticManifests([...all.values()].flat());
    if (errors.length > 0) throw new LoadError(errors.map(({ message }) => message).join('\n'));
    this.#taken.set(place, manifests);
    return manifests.length;
  }
}

/**
 * Returns the error that aborts the start. For a plugin's folder it is kube-apiserver's text, which reports the
 * first problem only.
 */
function firstText(place: StaticFolder, problems: string): string {
  const { folder, plugin } = place;
  if (plugin === undefined) return problems.replace(/^/gm, '--static-manifests: ');
  const kind = isForWebhooks(place) ? 'webhook' : 'policy';
  const what = `failed to load static ${kind} manifests from ${quote(folder)}`;
  return `failed to apply admission: failed to initialize admission plugin ${quote(plugin)}: ${what}: ${problems.split('\n', 1)[0]}`;
}

function isForWebhooks({ folderKind }: StaticFolder): boolean {
  return folderKind?.endsWith('WebhookConfiguration') === true;
}

function objectsOf(place: StaticFolder): string {
  if (isForWebhooks(place)) return 'webhook configurations';
  return place.folderKind === undefined ? 'policies or webhook configurations' : 'policies';
}

function readFolder(folder: string): FolderTexts {
  try {
    return new Map(
      staticManifestFiles(folder).map((file) => [file, readText(file, { regularOnly: true })]),
    );
  } catch (error) {
    return readErrorText(error);
  }
}

function manifestsOf(file: string, text: string): readonly StaticManifest[] {
  const { manifests, problems } = readManifests(new Source(file, text));
  if (problems.length > 0) {
    throw new LoadError(problems.map(({ message }) => `${file}: ${message}`).join('\n'));
  }
  return manifests.map(({ object }) => ({ file, object }));
}
