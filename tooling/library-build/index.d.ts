import type { UserConfig } from 'vite';

/** The contents of a package: subpaths with their sources, and files that are included unchanged. */
interface Manifest {
  readonly exports: Readonly<
    Record<string, string | { readonly '@kubeadmit/source': string; readonly default: string }>
  >;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Vite configuration that builds a library as one file for each entry, and one for their shared code: Node takes longer
 * to find a hundred small files than to run them.
 */
export declare function libraryBuild(manifest: Manifest, chunks?: string): UserConfig;
