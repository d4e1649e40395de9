import type { PrepareOptions } from '@kubeadmit/check';
import type { CheckPlan } from '@kubeadmit/check/internal';
import { getOrMake } from '@kubeadmit/go/internal';
import type { GivenManifest } from '@kubeadmit/lint';
import {
  type DocumentOrigin,
  Manifest,
  type ManifestHead,
  type Path,
  Source,
} from '@kubeadmit/manifest';
import type { StreamTarget } from '../output/check/stream.ts';
import type { ReadCheck } from './prepare.ts';

/** The data from which a thread plans the same check. */
export interface ThreadSetup {
  readonly given: readonly (SentManifest & { readonly role: GivenManifest['role'] })[];
  readonly old: readonly SentManifest[];
  readonly settings: Omit<PrepareOptions, 'oldResources' | 'unreadable'>;
  /** Whether some inputs could not be read. */
  readonly isLeavingOut: boolean;
  /** The version that policies are compiled for. */
  readonly kubernetesVersion: string | undefined;
  readonly targets: readonly StreamTarget[];
  /** Whether problems are written in colours. */
  readonly isColoured: boolean;
}

/** A manifest without its object, which the other thread reads again from the same text. */
interface SentManifest {
  readonly head: ManifestHead;
  readonly origin: Omit<DocumentOrigin, 'source'> & {
    readonly source: { readonly name: string; readonly text: string };
  };
  readonly path: Path;
}

/** Makes manifests ready for sending: those of one document share it, and those of one file its text. */
class ManifestSender {
  readonly #sources = new Map<Source, SentManifest['origin']['source']>();
  readonly #origins = new Map<DocumentOrigin, SentManifest['origin']>();

  send({ head, origin, path }: Manifest): SentManifest {
    return { head, origin: this.#origin(origin), path };
  }

  #origin(origin: DocumentOrigin): SentManifest['origin'] {
    return getOrMake(this.#origins, origin, () => {
      const { name, text } = origin.source;
      const source = getOrMake(this.#sources, origin.source, () => ({ name, text }));
      return { ...origin, source };
    });
  }
}

/** Makes manifests of what was sent. */
export class ManifestReceiver {
  readonly #sources = new Map<object, Source>();
  readonly #origins = new Map<object, DocumentOrigin>();

  receive({ head, origin, path }: SentManifest): Manifest {
    return Manifest.unread(head, this.#origin(origin), path);
  }

  #origin(sent: SentManifest['origin']): DocumentOrigin {
    return getOrMake(this.#origins, sent, () => {
      const { name, text } = sent.source;
      const source = getOrMake(this.#sources, sent.source, () => new Source(name, text));
      return { ...sent, source };
    });
  }
}

/** Returns the data that threads need. */
export function threadSetup(
  { given, settings: { oldResources = [], unreadable: _, ...settings } }: ReadCheck,
  { leftOut }: CheckPlan,
  rest: Pick<ThreadSetup, 'kubernetesVersion' | 'targets' | 'isColoured'>,
): ThreadSetup {
  const sender = new ManifestSender();
  return {
    given: given.map(({ manifest, role }) => ({ ...sender.send(manifest), role })),
    old: oldResources.map((manifest) => sender.send(manifest)),
    settings,
    isLeavingOut: leftOut.length > 0,
    ...rest,
  };
}
