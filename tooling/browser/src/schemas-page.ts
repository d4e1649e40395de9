import { decode, loadSchemas } from '@kubeadmit/schemas';

/** What a page needs that decodes manifests of one Kubernetes version, JSON in and out. */
export async function decodeManifest(version: string, manifest: string): Promise<string> {
  return JSON.stringify(decode(await loadSchemas({ version }), JSON.parse(manifest)).object);
}
