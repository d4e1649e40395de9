import type { KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import type { Schemas } from '@kubeadmit/schemas';
import { structNamed } from '@kubeadmit/schemas/types';
import { shortName } from '../model.ts';
import { pathOf, servedGroupVersions } from './names.ts';

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, Component>> };
}

interface Component {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Types that the schemas keep as scalars or as they are given, or that no kind holds. */
const notHeld =
  /\.(?:Time|MicroTime|Quantity|IntOrString|RawExtension|FieldsV1|JSON\w*)$|\.(?:version\.Info|WatchEvent)$/;

/** How many types have the same fields in the server's OpenAPI documents, and which have not. */
export async function compareFields(
  server: KubeClient,
  schemas: Schemas,
): Promise<{ readonly same: number; readonly differences: readonly string[] }> {
  const seen = new Set<string>();
  const differences: string[] = [];
  for (const groupVersion of await servedGroupVersions(server)) {
    const path = `/openapi/v3${pathOf(groupVersion)}`;
    const { components } = (await server.get(path)) as Document;
    for (const [name, { properties }] of Object.entries(components?.schemas ?? {})) {
      if (seen.has(name) || !properties || notHeld.test(name)) continue;
      seen.add(name);
      const type = structNamed(schemas, shortName(name));
      const ours =
        type?.fields
          .map((field) => field.name)
          .toSorted()
          .join(' ') ?? 'unknown';
      const theirs = Object.keys(properties).toSorted().join(' ');
      if (ours !== theirs) differences.push(`${name}\n    ours   ${ours}\n    theirs ${theirs}`);
    }
  }
  return { same: seen.size - differences.length, differences };
}
