import { ImageRecorder, maxBlobSize, RegistryError } from '@kubeadmit/images';
import { DownloadError, RemoteImages } from '@kubeadmit/images/remote';
import { registryClient } from '../input/elsewhere/registries.ts';
import { ElsewhereError } from '../input/local/found-text.ts';
import { printableLine } from '../output/style.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal } from '../process/terminal.ts';

/** The limits of a request to a registry. */
const limits = { maxFileSize: maxBlobSize, timeout: 30_000 };

/** The options of `kubeadmit image-data record`. */
export interface RecordOptions {
  readonly output: string;
  readonly signatureRepository?: string;
}

/**
 * Records images with their signatures.
 *
 * @throws CommandFailure for an image that cannot be recorded
 */
export async function recordImages(
  images: readonly string[],
  { output, signatureRepository }: RecordOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const registry = new RemoteImages((host) => registryClient(host, limits, terminal.env));
  const recorder = await orFailure(output, async () => new ImageRecorder(output, registry));
  for (const image of images) {
    const record = () => recorder.record(image, signatureRepository);
    const { digest, signatures } = await orFailure(image, record);
    const count =
      signatures === 1 ? '1 signature or attestation' : `${signatures} signatures and attestations`;
    terminal.print(`${printableLine(image)}: ${digest}, ${count}\n`);
  }
  return exitCode.success;
}

/** Reports known errors with the image or folder that they are about. */
async function orFailure<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isKnown =
      error instanceof RegistryError ||
      error instanceof DownloadError ||
      error instanceof ElsewhereError ||
      (error instanceof Error && 'syscall' in error);
    throw isKnown ? new CommandFailure(`${subject}: ${error.message}`) : error;
  }
}
