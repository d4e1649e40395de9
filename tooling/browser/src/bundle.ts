import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, defaultClientConditions } from 'vite';

/** One classic script for browsers. */
export interface Bundle {
  readonly code: string;
  /** The size in bytes after minification and gzip, with everything that is loaded at once. */
  readonly gzipSize: number;
}

/** Bundles an entry of this folder for browsers, from the sources of the packages. */
export function bundle(entry: string): Promise<Bundle> {
  return bundleFile(fileURLToPath(new URL(entry, import.meta.url)));
}

/**
 * The bundled size of the exports of one statement, such as `export { parse } from 'package'`, without code that is
 * loaded later.
 */
export async function sizeOf(statement: string): Promise<number> {
  const { gzipSize } = await withEntry(statement, (file) => bundleFile(file, true));
  return gzipSize;
}

/** The code that a page loads from one package, without other packages: bytes after minification and gzip. */
export interface OwnSizes {
  /** The code loaded at once, together with lazy modules, which are given by the ends of their paths. */
  with(...later: readonly string[]): number;
  readonly whole: number;
}

/** Returns the sizes of one package's code in a separate page. */
export async function ownSizesOf(name: string): Promise<OwnSizes> {
  const others = (id: string): boolean => id.startsWith('@kubeadmit/') && id !== name;
  const chunks = await withEntry(`export * from '${name}'`, (file) => chunksOf(file, true, others));
  return {
    with: (...later) => {
      const found = later.map((path) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${path}`));
        if (chunk === undefined) throw new Error(`${path} is not loaded later`);
        return chunk;
      });
      return gzippedSize(loadedAtOnce(chunks, found));
    },
    whole: gzippedSize(chunks),
  };
}

// The file lies in this package, from where every other one is found.
async function withEntry<T>(text: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(fileURLToPath(new URL('../.size-', import.meta.url)));
  try {
    const file = `${folder}/entry.ts`;
    writeFileSync(file, text);
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function bundleFile(entry: string, isSplit = false): Promise<Bundle> {
  const chunks = await chunksOf(entry, isSplit);
  const entryChunk = chunks.find((chunk) => chunk.isEntry);
  if (entryChunk === undefined || (chunks.length !== 1 && !isSplit)) {
    throw new Error(`expected one script, got ${chunks.length}`);
  }
  return { code: entryChunk.code, gzipSize: gzippedSize(loadedAtOnce(chunks)) };
}

type Chunk = Awaited<ReturnType<typeof chunksOf>>[number];

/** The entry chunks and others, with their direct and indirect imports. */
function loadedAtOnce(chunks: readonly Chunk[], others: readonly Chunk[] = []): readonly Chunk[] {
  const entries = [...chunks.filter(({ isEntry }) => isEntry), ...others];
  const loaded = new Set(entries.map(({ fileName }) => fileName));
  for (const name of loaded) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    for (const imported of chunk?.imports ?? []) loaded.add(imported);
  }
  return chunks.filter(({ fileName }) => loaded.has(fileName));
}

function gzippedSize(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).byteLength, 0);
}

async function chunksOf(
  entry: string,
  isSplit: boolean,
  external: (id: string) => boolean = () => false,
) {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@kubeadmit/source', ...defaultClientConditions] },
    build: {
      write: false,
      target: 'es2023',
      lib: {
        entry,
        formats: [isSplit ? 'es' : 'iife'],
        name: 'kubeadmitProof',
        fileName: 'bundle',
      },
      minify: true,
      rolldownOptions: {
        external,
        // No other module imports the entry of a page, so the exports that others need stay in it.
        preserveEntrySignatures: 'allow-extension',
        output: { codeSplitting: isSplit, minify: true },
      },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((result) =>
    'output' in result ? result.output : [],
  );
  return outputs.filter((file) => file.type === 'chunk');
}
