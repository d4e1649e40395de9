import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** An object of a resource; see `permissions/manifests.yaml`. */
export interface Manifest {
  readonly names?: readonly [string, string];
  readonly body?: object;
  readonly bodies?: readonly [object, object];
  readonly absent?: boolean;
  readonly nameless?: boolean;
}

/** The manifests by plural and group, such as `deployments.apps`. */
export const manifests: Readonly<Record<string, Manifest>> = parse(
  readFileSync(new URL('../../permissions/manifests.yaml', import.meta.url), 'utf8'),
);

/** The plural names of all resources, without their subresources. */
export const manifestResources: readonly string[] = [
  ...new Set(Object.keys(manifests).map((name) => name.split('.', 1)[0] ?? '')),
];
