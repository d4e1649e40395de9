import { policyJson } from '@kubeadmit/chain/kyverno';
import { type Conversion, convertPolicy, isConvertible } from '@kubeadmit/convert';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { Setting } from './judgement.ts';
import { readFiles } from './read-files.ts';

type PolicyObject = ReturnType<typeof policyJson>;

/** The Kyverno policies of the files with their conversions, and the objects and kinds that they depend on. */
export interface ConvertibleFiles {
  readonly manifests: readonly Manifest[];
  readonly conversions: readonly {
    readonly manifest: Manifest;
    readonly policy: PolicyObject;
    readonly conversion: Conversion;
  }[];
  readonly related: readonly PolicyObject[];
  readonly schemas: Schemas;
}

/** Converts each Kyverno policy in the files. */
export async function convertFiles({
  files,
  kubernetesVersions: [kubernetesVersion],
}: Setting): Promise<ConvertibleFiles> {
  const { given } = readFiles(files);
  const manifests = given.map(({ manifest }) => manifest);
  const schemas = await schemasOf(sortInputs(given), kubernetesVersion);
  const related = manifests
    .map(({ object }) => policyJson(object))
    .filter((object) => !isConvertible(object));
  const conversions = manifests
    .filter(({ object }) => isConvertible(object))
    .map((manifest) => {
      const policy = policyJson(manifest.object);
      return { manifest, policy, conversion: convertPolicy(policy, { schemas, related }) };
    });
  return { manifests, conversions, related, schemas };
}
