import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as module from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { getHeapCodeStatistics } from 'node:v8';
import { Script } from 'node:vm';

/** What a file of the cache says of the code behind its first line. */
interface Header {
  /** Where the code of each part of the program begins, and how long it is. Names hold a hash of the content. */
  readonly parts: Readonly<Record<string, readonly [start: number, length: number]>>;
  /** How many bytes of code had been compiled when it was written. */
  readonly compiled: number;
}

/** A part of the program that runs. */
interface Part {
  readonly script: Script;
  readonly isFromCache: boolean;
}

type Loader = (module: CommonJsModule, file: string) => void;

interface CommonJsModule {
  exports: unknown;
  require(id: string): unknown;
}

/** V8 wants code to begin where a number may. */
const alignment = 8;

/**
 * Keeps what V8 compiles of the program's parts, so that the next run of the same command need not compile it:
 * what Node does itself from version 22.8 on, for those before.
 *
 * The code lies in a file for each command in a folder of the user's. V8 refuses what another version of it has
 * written; a file that others could have written is not read, and nothing is said where none can be written.
 */
export function keepCode(parts: string, command: string): void {
  const file = cacheFile(command);
  if (file === undefined) return;
  const cache = readCache(file);
  const loaded = new Map<string, Part>();
  const { _extensions: extensions } = module as unknown as {
    readonly _extensions: Record<string, Loader>;
  };
  const load = extensions['.js'];
  extensions['.js'] = (one, path) => {
    if (dirname(path) !== parts) return load?.(one, path);
    const name = basename(path);
    const cachedData = cache?.codeOf(name);
    const script = new Script(wrapped(readFileSync(path, 'utf8')), {
      filename: path,
      ...(cachedData && { cachedData }),
    });
    const isFromCache = cachedData !== undefined && script.cachedDataRejected === false;
    loaded.set(name, { script, isFromCache });
    const run = script.runInThisContext() as (...args: unknown[]) => void;
    run.call(one.exports, one.exports, (id: string) => one.require(id), one, path, parts);
  };
  process.once('exit', () => {
    const { bytecode_and_metadata_size: compiled } = getHeapCodeStatistics();
    const isComplete = [...loaded.values()].every(({ isFromCache }) => isFromCache);
    // A little more is compiled in every run; a tenth more is what another input needs.
    if (isComplete && compiled < (cache?.compiled ?? 0) * 1.1) return;
    try {
      writeCache(file, loaded, compiled);
    } catch {
      // The next run takes as long as this one did.
    }
  });
}

/** A module as Node wraps it. */
function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n});`;
}

/** Where the code of a command lies; undefined where nobody may be trusted with it. */
function cacheFile(command: string): string | undefined {
  const { env, versions, arch } = process;
  if (env['NODE_DISABLE_COMPILE_CACHE'] || process.getuid === undefined) return undefined;
  const home = env['XDG_CACHE_HOME'] || (env['HOME'] && join(env['HOME'], '.cache'));
  if (!home) return undefined;
  return join(home, 'kubeadmit', `${command}-${versions.v8}-${arch}.code`);
}

interface Cache {
  readonly compiled: number;
  codeOf(name: string): Buffer | undefined;
}

function readCache(file: string): Cache | undefined {
  try {
    const bytes = readOwn(file);
    if (bytes === undefined) return undefined;
    const end = bytes.indexOf('\n');
    const { parts, compiled } = JSON.parse(bytes.toString('latin1', 0, end)) as Header;
    const first = aligned(end + 1);
    return {
      compiled,
      codeOf: (name) => {
        const place = Object.hasOwn(parts, name) ? parts[name] : undefined;
        if (place === undefined) return undefined;
        const [start, length] = place;
        return bytes.subarray(first + start, first + start + length);
      },
    };
  } catch {
    return undefined;
  }
}

/** The content of a file that nobody but this user can have written. */
function readOwn(file: string): Buffer | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const { uid, mode } = fstatSync(descriptor);
    const isOwn = uid === process.getuid?.() && (mode & 0o022) === 0;
    return isOwn ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function writeCache(file: string, loaded: ReadonlyMap<string, Part>, compiled: number): void {
  const parts: Record<string, readonly [number, number]> = {};
  const code: Buffer[] = [];
  let at = 0;
  for (const [name, { script }] of loaded) {
    const data = script.createCachedData();
    const padding = aligned(data.length) - data.length;
    parts[name] = [at, data.length];
    code.push(data, Buffer.alloc(padding));
    at += data.length + padding;
  }
  const header = `${JSON.stringify({ parts, compiled } satisfies Header)}\n`;
  const head = Buffer.alloc(aligned(header.length), ' ');
  head.write(header, 'latin1');
  // Nobody reads a file that is half written.
  const unfinished = `${file}.${process.pid}`;
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder).uid !== process.getuid?.()) return;
  try {
    writeFileSync(unfinished, Buffer.concat([head, ...code]), { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, file);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}
