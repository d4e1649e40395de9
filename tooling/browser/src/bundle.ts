import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, defaultClientConditions } from 'vite';

/** One classic script for browsers. */
export interface Bundle {
  readonly code: string;
  /** Its size in bytes after minification and gzip, with what it loads at once. */
  readonly gzipSize: number;
}

/** Bundles an entry of this folder for browsers, from the sources of the packages. */
export function bundle(entry: string): Promise<Bundle> {
  return bundleFile(fileURLToPath(new URL(entry, import.meta.url)));
}

/** Bundles what one statement exports, such as `export { parse } from 'package'`; what is loaded later is apart. */
export async function sizeOf(statement: string): Promise<number> {
  const folder = mkdtempSync(fileURLToPath(new URL('../.size-', import.meta.url)));
  try {
    const file = `${folder}/entry.ts`;
    writeFileSync(file, statement);
    return (await bundleFile(file, true)).gzipSize;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The size of the code of one package, other packages left out, and files of its own by their paths: what is loaded at
 * once, and with what is loaded later.
 */
export async function ownSizesOf(
  name: string,
  leftOut: readonly string[] = [],
): Promise<{ readonly atOnce: number; readonly whole: number }> {
  const folder = mkdtempSync(fileURLToPath(new URL('../.size-', import.meta.url)));
  try {
    const file = `${folder}/entry.ts`;
    writeFileSync(file, `export * from '${name}'`);
    const others = (id: string): boolean =>
      (id.startsWith('@kubeadmit/') && id !== name) || leftOut.some((path) => id.endsWith(path));
    const chunks = await chunksOf(file, true, others);
    return { atOnce: gzippedSize(loadedAtOnce(chunks)), whole: gzippedSize(chunks) };
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

/** The entry with what it imports, and what that imports. */
function loadedAtOnce(chunks: readonly Chunk[]): readonly Chunk[] {
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
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
      rolldownOptions: { external, output: { codeSplitting: isSplit, minify: true } },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((result) =>
    'output' in result ? result.output : [],
  );
  return outputs.filter((file) => file.type === 'chunk');
}
