import type { JsonObject } from '@kubeadmit/apimachinery';
import { decodeKindsStrictly, type KnownKind, knownKind } from './decode/decode-kinds.ts';
import { type GoType, listType, stringType, structType } from './decode/decode-struct.ts';

const version = 'apiserver.config.k8s.io/v1';

function pluginsField(ofVersion: string): GoType {
  const configuration: GoType = { is: 'any', name: 'runtime.RawExtension' };
  const fields = { name: stringType(), path: stringType(), configuration };
  return listType(structType(`${ofVersion}.AdmissionPluginConfiguration`, fields));
}

const folder = { staticManifestsDir: stringType() };

/** The kinds of configurations of admission that are read here, by the Go packages that know them. */
const kinds: Readonly<Record<string, readonly KnownKind[]>> = {
  apiserver: [
    knownKind(version, 'AdmissionConfiguration', { fields: { plugins: pluginsField('v1') } }),
    knownKind('apiserver.k8s.io/v1alpha1', 'AdmissionConfiguration', {
      fields: { plugins: pluginsField('v1alpha1') },
    }),
  ],
  policyconfig: [
    knownKind(version, 'ValidatingAdmissionPolicyConfiguration', { fields: folder }),
    knownKind(version, 'MutatingAdmissionPolicyConfiguration', { fields: folder }),
  ],
  webhookadmission: [
    knownKind(version, 'WebhookAdmissionConfiguration', {
      fields: { ...folder, kubeConfigFile: stringType() },
      struct: 'WebhookAdmission',
    }),
  ],
};

/**
 * Reads a configuration of admission of a kind (`apiserver.config.k8s.io/v1`), in YAML or JSON, as kube-apiserver's
 * strict decoder does.
 *
 * @throws Error with its text
 */
export function decodeConfiguration(text: string, wanted: string): JsonObject {
  const [ofPackage, known] = Object.entries(kinds).find(([, each]) =>
    each.some(({ kind }) => kind === wanted),
  ) ?? ['', []];
  const { known: found, object } = decodeKindsStrictly(text, known);
  if (found.kind !== wanted) throw new Error(`unexpected type: *${ofPackage}.${found.kind}`);
  return object;
}
