import { parseReference, Url } from '@kubeadmit/go';

/** The name of an image as go-containerregistry reads it. */
export interface ImageReference {
  /** The name as it was written. */
  readonly text: string;
  /** The host of the registry. */
  readonly registry: string;
  /** The path in the registry. */
  readonly repository: string;
  /** `latest` where neither a tag nor a digest is written; empty beside a digest alone. */
  readonly tag: string;
  /** `sha256:…`, or empty. */
  readonly digest: string;
}

const defaultRegistry = 'index.docker.io';
const repositoryText = /^[a-z0-9_\-./]{2,255}$/;
const tagText = /^[A-Za-z0-9_\-.]{1,128}$/;
const digestText = /^sha256:[a-f0-9]{64}$/;

/** Reads the name of an image (go-containerregistry's `name.ParseReference`); a string is the error. */
export function readImageReference(text: string): ImageReference | string {
  const problem = `could not parse reference: ${text}`;
  const [name = '', digest, ...rest] = text.split('@');
  if (rest.length > 0 || (digest !== undefined && !digestText.test(digest))) return problem;
  const colon = name.lastIndexOf(':');
  const hasTag = colon > name.lastIndexOf('/');
  const tag = hasTag ? name.slice(colon + 1) : '';
  if (hasTag && !tagText.test(tag)) return problem;
  const place = splitRegistry(hasTag ? name.slice(0, colon) : name);
  if (place === undefined) return problem;
  return {
    text,
    ...place,
    tag: tag === '' && digest === undefined ? 'latest' : tag,
    digest: digest ?? '',
  };
}

function splitRegistry(name: string): Pick<ImageReference, 'registry' | 'repository'> | undefined {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isRegistry = slash > 0 && (/[.:]/.test(first) || first === 'localhost');
  const written = isRegistry ? first : defaultRegistry;
  const registry = written === 'docker.io' ? defaultRegistry : written;
  const path = isRegistry ? name.slice(slash + 1) : name;
  if (!repositoryText.test(path) || !isAuthority(registry)) return undefined;
  const isOfficial = registry === defaultRegistry && !path.includes('/');
  return { registry, repository: isOfficial ? `library/${path}` : path };
}

function isAuthority(registry: string): boolean {
  const url = parseReference(`//${registry}`);
  return url instanceof Url && url.host === registry;
}
