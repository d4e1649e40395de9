import { member } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { readText } from '@kubeadmit/files';
import type { ImageVerifier } from '@kubeadmit/kyverno';
import type { Inputs } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import { boundaryOf } from '../input/local/boundary.ts';
import { CommandFailure, type Terminal } from '../process/terminal.ts';

/** The options for the data of images. */
export interface ImageOptions {
  /** A folder that `kubeadmit image-data record` wrote. */
  readonly imageData?: string;
  /** The trust root of Sigstore, as a file. */
  readonly trustedRoot?: string;
  readonly allowOutside?: boolean;
}

/** Does as {@link imageVerifier} if the option is given or a policy verifies images; otherwise `undefined`. */
export async function imagesFor(
  { kyverno }: Pick<Inputs, 'kyverno'>,
  options: ImageOptions,
  terminal: Terminal,
): Promise<ImageVerifier | undefined> {
  const isUsed =
    options.imageData !== undefined ||
    options.trustedRoot !== undefined ||
    kyverno.some(verifiesImages);
  return isUsed ? imageVerifier(options, terminal) : undefined;
}

function verifiesImages({ kind, object }: Manifest): boolean {
  if (/^(?:Namespaced)?ImageValidatingPolicy$/.test(kind)) return true;
  const rules = member(member(object, 'spec'), 'rules');
  return Array.isArray(rules) && rules.some((rule) => member(rule, 'verifyImages') !== undefined);
}

/**
 * Returns the verifier of images for policies of Kyverno, with the recorded images of `--image-data`. Without the option
 * every image is missing, which is an error that names the option.
 *
 * @throws CommandFailure for a folder that is not an OCI layout, and a file that is not a trust root
 */
export async function imageVerifier(
  options: ImageOptions,
  terminal: Terminal,
): Promise<ImageVerifier> {
  const { ImageLayout, makeImageVerifier, readTrustRoot } = await import('@kubeadmit/images');
  const { imageData, trustedRoot } = options;
  const read = <Result>(option: string, path: string, reader: (path: string) => Result): Result => {
    try {
      boundaryOf([path], options, terminal).require(path);
      return reader(path);
    } catch (error) {
      throw new CommandFailure(`${option} ${path}: ${errorText(error)}`);
    }
  };
  return makeImageVerifier({
    registry:
      imageData === undefined
        ? undefined
        : read('--image-data', imageData, (folder) => new ImageLayout(folder)),
    trustRoot:
      trustedRoot === undefined
        ? undefined
        : read('--trusted-root', trustedRoot, (file) => readTrustRoot(readText(file))),
    clock: Date.now,
  });
}
