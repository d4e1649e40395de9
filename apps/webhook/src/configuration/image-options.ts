import { errorText } from '@kubeadmit/base';
import { readText } from '@kubeadmit/files';
import { type Command, InvalidArgumentError } from 'commander';
import type { ImageSettings, SecretName } from '../images/image-settings.ts';
import { UsageError } from './usage-error.ts';

/** The options for rules about images as commander names them. */
export interface ImageOptions {
  readonly verifyImages: boolean;
  readonly trustedRoot?: string;
  readonly registryConfig?: string;
  readonly imagePullSecret: readonly SecretName[];
  readonly allowInsecureRegistry: readonly string[];
  readonly imageCacheSeconds: number;
}

/** Adds the options for rules about images. */
export function addImageOptions(command: Command, numberOf: (text: string) => number): Command {
  return command
    .optionsGroup('Images:')
    .option('--no-verify-images', 'Do not evaluate rules about images')
    .option('--trusted-root <file>', 'Trust root of Sigstore (trusted_root.json)')
    .option('--registry-config <file>', 'Docker configuration with registry credentials')
    .option(
      '--image-pull-secret <namespace/name>',
      'Secret with registry credentials (repeatable)',
      secretNames,
      [],
    )
    .option(
      '--allow-insecure-registry <host:port>',
      'Allow HTTP and any address for this registry (repeatable)',
      registryHosts,
      [],
    )
    .option(
      '--image-cache-seconds <seconds>',
      'Seconds to cache tags and signatures',
      numberOf,
      60,
    );
}

/**
 * Reads the settings for rules about images; undefined if they are not evaluated.
 *
 * @throws UsageError for a file that cannot be used, and for Secrets without a cluster
 */
export function imageSettingsOf(
  options: ImageOptions,
  hasCluster: boolean,
): ImageSettings | undefined {
  const { verifyImages, trustedRoot, registryConfig, imagePullSecret } = options;
  if (imagePullSecret.length > 0 && !hasCluster) {
    throw new UsageError(
      '`--image-pull-secret` requires a cluster: `--kubeconfig` or `--in-cluster`',
    );
  }
  if (registryConfig !== undefined) readJson('--registry-config', registryConfig);
  const trustRoot = trustedRoot === undefined ? undefined : readTrustRootText(trustedRoot);
  if (!verifyImages) return undefined;
  return {
    trustRoot,
    registryConfig,
    pullSecrets: imagePullSecret,
    insecureRegistries: options.allowInsecureRegistry,
    cacheSeconds: options.imageCacheSeconds,
  };
}

function readTrustRootText(file: string): string {
  const { text, value } = readJson('--trusted-root', file);
  const isRoot = ['certificateAuthorities', 'tlogs'].some((name) => Array.isArray(value[name]));
  if (isRoot) return text;
  throw new UsageError(
    `--trusted-root ${file}: not a trust root of Sigstore; expected certificateAuthorities and tlogs`,
  );
}

function readJson(
  option: string,
  file: string,
): { readonly text: string; readonly value: Readonly<Record<string, unknown>> } {
  try {
    const text = readText(file);
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) {
      return { text, value: value as Readonly<Record<string, unknown>> };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new UsageError(`${option}: ${errorText(error)}`);
  }
  throw new UsageError(`${option} ${file}: not a JSON object`);
}

function secretNames(text: string, before: readonly SecretName[]): readonly SecretName[] {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (namespace === '' || name === '' || more.length > 0) {
    throw new InvalidArgumentError('Expected NAMESPACE/NAME.');
  }
  return [...before, { namespace, name }];
}

function registryHosts(text: string, before: readonly string[]): readonly string[] {
  const isHost = URL.canParse(`http://${text}`) && new URL(`http://${text}`).host === text;
  if (!isHost) throw new InvalidArgumentError('Expected HOST or HOST:PORT.');
  return [...before, text];
}
