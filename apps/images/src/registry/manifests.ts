import { isRecord } from '@kubeadmit/manifest';
import { type Descriptor, type Manifest, RegistryError } from './registry.ts';

/** How many layers or manifests of one document are read. */
const longestList = 1000;

/** The content of a manifest or index. */
export interface ManifestContent {
  readonly mediaType: string;
  readonly artifactType: string;
  readonly config: Descriptor | undefined;
  readonly layers: readonly Descriptor[];
  /** The manifests of an index. */
  readonly manifests: readonly Descriptor[];
  /** The parsed manifest. */
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Reads a manifest or index.
 *
 * @throws RegistryError for anything else
 */
export function readManifest({
  bytes,
  digest,
}: Pick<Manifest, 'bytes' | 'digest'>): ManifestContent {
  const json = readJsonObject(bytes, `manifest ${digest}`);
  const config = json['config'];
  return {
    mediaType: textIn(json, 'mediaType'),
    artifactType: textIn(json, 'artifactType'),
    config: config === undefined ? undefined : readDescriptor(config, digest),
    layers: descriptorsIn(json, 'layers', digest),
    manifests: descriptorsIn(json, 'manifests', digest),
    json,
  };
}

/**
 * Parses bytes as a JSON object.
 *
 * @throws RegistryError that names the content
 */
export function readJsonObject(bytes: Uint8Array, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new RegistryError(`${what} is not valid JSON`);
  }
  if (isRecord(value)) return value;
  throw new RegistryError(`${what} is not a JSON object`);
}

function descriptorsIn(
  json: Readonly<Record<string, unknown>>,
  name: string,
  owner: string,
): readonly Descriptor[] {
  const list = Object.hasOwn(json, name) ? json[name] : [];
  if (!Array.isArray(list)) throw new RegistryError(`manifest ${owner}: ${name} is not a list`);
  if (list.length > longestList) {
    throw new RegistryError(
      `manifest ${owner} has ${list.length} ${name}, more than ${longestList}`,
    );
  }
  return list.map((item) => readDescriptor(item, owner));
}

function readDescriptor(value: unknown, owner: string): Descriptor {
  if (!isRecord(value)) throw new RegistryError(`manifest ${owner} has an invalid descriptor`);
  const digest = textIn(value, 'digest');
  const size = value['size'];
  if (!isDigest(digest) || typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw new RegistryError(`manifest ${owner} has a descriptor without a valid digest and size`);
  }
  const annotations = isRecord(value['annotations']) ? value['annotations'] : {};
  const texts = Object.entries(annotations).filter(([, text]) => typeof text === 'string');
  return {
    mediaType: textIn(value, 'mediaType'),
    digest,
    size,
    artifactType: textIn(value, 'artifactType'),
    annotations: Object.fromEntries(texts) as Record<string, string>,
  };
}

function textIn(object: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Whether a string is the digest of content: `sha256:` with 64 hexadecimal digits. */
export function isDigest(text: string): boolean {
  return /^sha256:[a-f0-9]{64}$/.test(text);
}
