import {
  type FetchResult,
  ImageStore,
  makeImageVerifier,
  RequestImages,
  readTrustRoot,
  VerificationFailure,
} from '@kubeadmit/images';
import {
  type FindCredentials,
  guardedConnection,
  RegistryClient,
  RemoteImages,
} from '@kubeadmit/images/remote';
import type { ImageVerifier } from '@kubeadmit/kyverno';
import type { ImageSettings } from './image-settings.ts';

/** The verifier of images for one request, and the registries that it reads. */
export interface RequestVerifier {
  readonly images: RequestImages;
  readonly verifier: ImageVerifier;
}

/** Receives the fetches from registries and the uses of the cache. */
export interface ImageObserver {
  fetched(kind: 'manifest' | 'blob' | 'referrers', result: FetchResult, seconds: number): void;
  recalled(isHit: boolean): void;
}

const fetchMilliseconds = 30_000;
const largestAnswer = 16 * 2 ** 20;

/** Verifies images of registries; content is cached and shared by all requests of this process. */
export class LiveImages {
  readonly #store: ImageStore;
  readonly #trustRoot: ReturnType<typeof readTrustRoot> | undefined;
  /** The verifier for work that does not wait for registries; it uses cached content only. */
  readonly cached: ImageVerifier;

  /** @throws Error for an invalid trust root */
  constructor(settings: ImageSettings, credentials: FindCredentials, observer: ImageObserver) {
    const insecure = new Set(settings.insecureRegistries);
    const connection = guardedConnection(insecure);
    const client = (host: string): RegistryClient =>
      new RegistryClient({
        origin: `${insecure.has(host) ? 'http' : 'https'}://${host}`,
        limits: { maxFileSize: largestAnswer, timeout: fetchMilliseconds },
        credentials,
        missingCredentialsHint: () => 'use --image-pull-secret or --registry-config',
        connection,
      });
    this.#store = new ImageStore({
      registry: new RemoteImages(client),
      tagMilliseconds: settings.cacheSeconds * 1000,
      now: () => performance.now(),
      fetched: (kind, result, seconds) => observer.fetched(kind, result, seconds),
      recalled: (isHit) => observer.recalled(isHit),
    });
    this.#trustRoot =
      settings.trustRoot === undefined ? undefined : readTrustRoot(settings.trustRoot);
    this.cached = this.#verifierOf(
      new RequestImages(this.#store, 'images are read from registries for admission requests only'),
    );
  }

  /** The size of the cache in bytes. */
  get cacheBytes(): number {
    return this.#store.bytes;
  }

  /** Returns the verifier of one request. */
  forRequest(): RequestVerifier {
    const images = new RequestImages(this.#store);
    return { images, verifier: this.#verifierOf(images) };
  }

  #verifierOf(registry: RequestImages): ImageVerifier {
    return makeImageVerifier({
      registry,
      trustRoot: this.#trustRoot,
      clock: Date.now,
      missingImage: (image) => new VerificationFailure(`the registry has no image ${image}`),
    });
  }
}
