import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readText } from '@kubeadmit/files';
import { ImageRecorder, RegistryError, RemoteRegistry, readDockerConfig } from '@kubeadmit/images';
import { printableLine } from '../output/style.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal } from '../process/terminal.ts';

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
  const registry = new RemoteRegistry(dockerCredentials(terminal));
  try {
    const recorder = new ImageRecorder(output, registry);
    for (const image of images) {
      const { digest, signatures } = await recorder.record(image, signatureRepository);
      const count =
        signatures === 1
          ? '1 signature or attestation'
          : `${signatures} signatures and attestations`;
      terminal.print(`${printableLine(image)}: ${digest}, ${count}\n`);
    }
  } catch (error) {
    const isKnown = error instanceof RegistryError || isSystemError(error);
    throw isKnown ? new CommandFailure((error as Error).message) : error;
  }
  return exitCode.success;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** The credentials in Docker's configuration; none without the file. */
function dockerCredentials({ env }: Terminal): ReturnType<typeof readDockerConfig> {
  // An empty variable is unset, as in Docker.
  const folder = env['DOCKER_CONFIG'] || join(env['HOME'] || homedir(), '.docker');
  const file = join(folder, 'config.json');
  if (!existsSync(file)) return () => undefined;
  try {
    return readDockerConfig(readText(file, { regularOnly: true }));
  } catch (error) {
    throw new CommandFailure(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
