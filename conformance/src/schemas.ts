import { field, type JsonObject } from '@kubeadmit/conformance-tools';
import { loadSchemas, newestVersion, type Schemas } from '@kubeadmit/schemas';

const loaded = new Map<string, Promise<Schemas>>();

/** The facts about kinds for the Kubernetes version of a case, loaded once. */
export function schemasOf(input: JsonObject): Promise<Schemas> {
  const version = field(input, 'kubernetesVersion') ?? newestVersion;
  if (typeof version !== 'string') throw new Error('kubernetesVersion is no text');
  const known = loaded.get(version) ?? loadSchemas({ version });
  loaded.set(version, known);
  return known;
}

/** The facts about kinds of the newest version; only what expressions may use follows that of a case. */
export function newestSchemas(): Promise<Schemas> {
  return schemasOf({});
}
