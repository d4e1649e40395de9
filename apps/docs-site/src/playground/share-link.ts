import type { RequestSetting } from '../worker/judgement.ts';

/** What a link holds: everything that decides about what the playground shows. */
export interface Shared {
  readonly files: Readonly<Record<string, string>>;
  readonly request?: Partial<RequestSetting>;
  readonly kubernetesVersion?: string;
  readonly otherVersion?: string;
}

const prefix = '#files=';

/** Whether a fragment is that of a link with files, be they readable or not. */
export function holdsFiles(fragment: string): boolean {
  return fragment.startsWith(prefix);
}

/** The fragment of a link that holds files: compressed, and never sent to a server. */
export async function fragmentOf(shared: Shared): Promise<string> {
  const packed = await transformed(
    new TextEncoder().encode(JSON.stringify(shared)),
    new CompressionStream('deflate-raw'),
  );
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join('');
  return prefix + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * What the fragment of a link holds; undefined where it holds no files.
 *
 * @throws Error when it is broken: cut short, or not made by {@link fragmentOf}
 */
export async function readFragment(fragment: string): Promise<Shared | undefined> {
  if (!holdsFiles(fragment)) return undefined;
  try {
    const text = fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/');
    const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const bytes = await transformed(packed, new DecompressionStream('deflate-raw'));
    const shared: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isShared(shared)) throw new Error('no files');
    return shared;
  } catch {
    throw new Error('this link is broken: its files cannot be read');
  }
}

function isShared(value: unknown): value is Shared {
  const files = (value as Partial<Shared> | null)?.files;
  return (
    typeof files === 'object' &&
    files !== null &&
    Object.values(files).every((text) => typeof text === 'string')
  );
}

async function transformed(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const answer = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(answer).arrayBuffer());
}
