import { decode, loadSchemas } from '@kubeadmit/schemas';

/** Decodes manifests of one Kubernetes version in a page, with JSON input and output. */
export async function decodeManifest(version: string, manifest: string): Promise<string> {
  return JSON.stringify(decode(await loadSchemas({ version }), JSON.parse(manifest)).object);
}
