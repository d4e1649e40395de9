import type { RequestSetting } from '../worker/judgement.ts';
import { plainRequest } from '../worker/plain-request.ts';

/** The contents of a link: the complete input of the playground. */
export interface Shared {
  readonly files: Readonly<Record<string, string>>;
  readonly request?: Partial<RequestSetting>;
  readonly kubernetesVersion?: string;
  readonly otherVersion?: string;
}

const prefix = '#files=';

/** How much text a link unpacks to at most: a few kilobytes of a hostile one would keep the page busy for minutes. */
const mostBytes = 1_000_000;

/** How long a link is at most: its text without compression, in base64, is shorter. */
const longestLink = 2 * mostBytes;

/** How many files a link has at most: each needs a name that no other one has. */
const mostFiles = 1_000;

/** Whether a fragment is that of a link with files, be they readable or not. */
export function holdsFiles(fragment: string): boolean {
  return fragment.startsWith(prefix);
}

/**
 * The fragment of a link that holds files: compressed, and never sent to a server.
 *
 * @throws Error if the files are too large
 */
export async function fragmentOf(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  if (bytes.length > mostBytes) {
    throw new Error('The files are larger than 1 MB, too large for a link. Export them instead.');
  }
  const packed = await transformed(bytes, new CompressionStream('deflate-raw'));
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join('');
  return prefix + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Reads the contents of a link's fragment; returns `undefined` if it contains no files.
 *
 * @throws Error if it is incomplete or was not made by {@link fragmentOf}
 */
export async function readFragment(fragment: string): Promise<Shared | undefined> {
  if (!holdsFiles(fragment)) return undefined;
  try {
    if (fragment.length > longestLink) throw new Error('too long');
    const text = fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/');
    const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const bytes = await transformed(packed, new DecompressionStream('deflate-raw'));
    const shared: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (!isShared(shared)) throw new Error('no files');
    return shared;
  } catch {
    throw new Error('invalid link: its files cannot be read');
  }
}

function isShared(value: unknown): value is Shared {
  if (!hasNames(value)) return false;
  const { files, request = {}, kubernetesVersion = '', otherVersion = '' } = value;
  return (
    hasNames(files) &&
    Object.keys(files).length <= mostFiles &&
    Object.values(files).every((text) => typeof text === 'string') &&
    hasNames(request) &&
    Object.entries(request).every(([name, setting]) => isSetting(name, setting)) &&
    [kubernetesVersion, otherVersion].every((version) => typeof version === 'string')
  );
}

function hasNames(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a setting is known and has the right type. */
function isSetting(name: string, value: unknown): boolean {
  if (!Object.hasOwn(plainRequest, name)) return false;
  if (name === 'operation') return ['CREATE', 'UPDATE', 'DELETE'].includes(value as string);
  const plain = plainRequest[name as keyof RequestSetting];
  if (!Array.isArray(plain)) return typeof value === typeof plain;
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

async function transformed(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const answer = new Blob([bytes]).stream().pipeThrough(stream);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = answer.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > mostBytes) {
      await reader.cancel();
      throw new Error('too much');
    }
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
