import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, defaultClientConditions } from 'vite';

/** One classic script for browsers. */
export interface Bundle {
  readonly code: string;
  /** Its size in bytes after minification and gzip. */
  readonly gzipSize: number;
}

/** Bundles an entry of this folder for browsers, from the sources of the packages, without some libraries. */
export async function bundle(entry: string, external: readonly string[] = []): Promise<Bundle> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@kubeadmit/source', ...defaultClientConditions] },
    build: {
      write: false,
      target: 'es2023',
      lib: {
        entry: fileURLToPath(new URL(entry, import.meta.url)),
        formats: ['iife'],
        name: 'kubeadmitProof',
      },
      rolldownOptions: { external: [...external], output: { codeSplitting: false } },
    },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((result) =>
    'output' in result ? result.output : [],
  );
  const chunks = outputs.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  const [code] = chunks;
  if (code === undefined || chunks.length !== 1) {
    throw new Error(`expected one script, got ${chunks.length}`);
  }
  return { code, gzipSize: gzipSync(code, { level: 9 }).byteLength };
}
