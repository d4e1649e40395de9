import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { metadataString } from '@kubeadmit/apimachinery';
import type { GivenManifest } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import type { ProblemKeeper } from '../check/prepare.ts';
import { CommandFailure } from '../terminal.ts';
import type { ConvertOptions } from './options.ts';

/**
 * Refuses a conversion of which nothing would come, or not what was asked for: before it begins, since a proof takes its
 * time.
 *
 * @throws CommandFailure saying why.
 */
export function refuseUseless(
  policies: readonly Manifest[],
  given: readonly GivenManifest[],
  options: ConvertOptions,
  listener: ProblemKeeper,
): void {
  refuseNothing(policies, listener);
  refuseUnprovable(options);
  refuseRepeated(policies);
  if (options.report !== undefined) refuseReport(options.report, given);
}

function refuseNothing(policies: readonly Manifest[], { unreadable }: ProblemKeeper): void {
  if (policies.length > 0) return;
  throw new CommandFailure(
    unreadable.length > 0
      ? 'some inputs cannot be read, and there is no policy among the others'
      : 'nothing to convert among the inputs: no policy of Kyverno (kyverno.io, policies.kyverno.io) and no constraint of Gatekeeper',
  );
}

function refuseUnprovable({ prove, to }: ConvertOptions): void {
  if (prove === undefined || to === 'admission') return;
  throw new CommandFailure(
    '--prove compares a rule with a policy of Kubernetes itself; what `--to kyverno` makes cannot be proven, so leave one of them out',
  );
}

// What is given twice would be made twice, and the second refused.
function refuseRepeated(policies: readonly Manifest[]): void {
  const seen = new Map<string, string>();
  for (const { file, line, object } of policies) {
    const name = metadataString(object, 'name');
    const key = [object['kind'], metadataString(object, 'namespace'), name].map(String).join('/');
    const where = `${file}:${line}`;
    const known = seen.get(key);
    if (known !== undefined) {
      throw new CommandFailure(
        `${where}: the policy ${name} is given before, at ${known}; convert them apart, or leave one out with --ignore`,
      );
    }
    seen.set(key, where);
  }
}

// A policy in the report's place would be lost.
function refuseReport(file: string, given: readonly GivenManifest[]): void {
  const isInput = given.some(({ manifest }) => resolve(manifest.file) === resolve(file));
  if (isInput) throw new CommandFailure(`--report ${file}: is one of the inputs`);
  if (!existsSync(dirname(resolve(file)))) {
    throw new CommandFailure(`--report ${file}: its folder does not exist`);
  }
}
