import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { metadataString } from '@kubeadmit/apimachinery';
import type { GivenManifest } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import type { ProblemKeeper } from '../prepare/prepare.ts';
import { CommandFailure } from '../process/terminal.ts';
import type { ConvertOptions } from './options.ts';

/**
 * Rejects options and inputs from which no conversion can follow, before any work begins.
 *
 * @throws CommandFailure with the problem.
 */
export function refuseUseless(
  policies: readonly Manifest[],
  given: readonly GivenManifest[],
  options: ConvertOptions,
  listener: ProblemKeeper,
): void {
  refuseNothing(policies, listener);
  refuseUnprovable(options);
  if (options.report !== undefined) refuseReport(options.report, given);
}

function refuseNothing(policies: readonly Manifest[], { unreadable }: ProblemKeeper): void {
  if (policies.length > 0) return;
  throw new CommandFailure(
    unreadable.length > 0
      ? 'nothing to convert: some inputs cannot be read, and the others contain no policy'
      : 'nothing to convert: the inputs contain no Kyverno policy (kyverno.io, policies.kyverno.io) and no Gatekeeper constraint',
  );
}

function refuseUnprovable({ prove, search }: ConvertOptions): void {
  if (prove !== undefined && !search) {
    throw new CommandFailure('--prove cannot be combined with --no-search');
  }
}

/** The place of an earlier policy with the kind, namespace and name of each policy that repeats them. */
export function repeatedPolicies(policies: readonly Manifest[]): ReadonlyMap<Manifest, string> {
  const first = new Map<string, string>();
  const repeated = new Map<Manifest, string>();
  for (const manifest of policies) {
    const { file, line, object } = manifest;
    const name = metadataString(object, 'name');
    const key = [object['kind'], metadataString(object, 'namespace'), name].map(String).join('/');
    const known = first.get(key);
    if (known === undefined) first.set(key, `${file}:${line}`);
    else repeated.set(manifest, known);
  }
  return repeated;
}

// A report must not overwrite a policy.
function refuseReport(file: string, given: readonly GivenManifest[]): void {
  const isInput = given.some(({ manifest }) => resolve(manifest.file) === resolve(file));
  if (isInput) throw new CommandFailure(`--report ${file}: the file is one of the inputs`);
  if (!existsSync(dirname(resolve(file)))) {
    throw new CommandFailure(`--report ${file}: the folder does not exist`);
  }
}
