import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The description of written content. */
export interface Written {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly artifactType?: string;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';
const refName = 'org.opencontainers.image.ref.name';

/** Writes images and their signatures as an OCI layout. */
export class LayoutWriter {
  readonly folder: string;
  readonly #entries: Written[] = [];

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
    writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    this.#writeIndex();
  }

  /** Writes content and returns its description. */
  blob(content: string | Uint8Array, mediaType = 'application/octet-stream'): Written {
    const bytes = Buffer.from(content);
    const hex = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(this.folder, 'blobs', 'sha256', hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  }

  /** Reads written content. */
  read({ digest }: Pick<Written, 'digest'>): Buffer {
    return readFileSync(join(this.folder, 'blobs', 'sha256', digest.slice('sha256:'.length)));
  }

  /** Writes a manifest under the full name of an image, and returns its description. */
  manifest(
    name: string,
    layers: readonly Written[],
    more: Readonly<Record<string, unknown>> = {},
  ): Written {
    const config = this.blob(
      JSON.stringify({ architecture: 'amd64', name }),
      'application/vnd.oci.image.config.v1+json',
    );
    const json = { schemaVersion: 2, mediaType: manifestType, config, layers, ...more };
    return this.#add(name, this.blob(JSON.stringify(json), manifestType));
  }

  /** Writes an index of manifests under a name. */
  index(name: string, manifests: readonly Written[]): Written {
    const json = { schemaVersion: 2, mediaType: indexType, manifests };
    return this.#add(name, this.blob(JSON.stringify(json), indexType));
  }

  /** Writes an image with one layer. */
  image(name: string): Written {
    return this.manifest(name, [this.blob(`content of ${name}`)]);
  }

  #add(name: string, written: Written): Written {
    this.#entries.push({ ...written, annotations: { [refName]: name } });
    this.#writeIndex();
    return written;
  }

  #writeIndex(): void {
    const index = { schemaVersion: 2, mediaType: indexType, manifests: this.#entries };
    writeFileSync(join(this.folder, 'index.json'), JSON.stringify(index));
  }
}
