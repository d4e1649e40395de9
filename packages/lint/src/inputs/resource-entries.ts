import { cut } from '@kubeadmit/go';

/** A resource, or a subresource of one. */
export interface ResourceName {
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
}

/** Splits an entry of `resources` at its first slash: `pods/log`. */
export function splitEntry(entry: string): ResourceName {
  const [resource, subresource = ''] = cut(entry, '/');
  return { resource, subresource };
}

/** Whether an entry names a resource or subresource: `pods/*` also names `pods` itself. */
export function namesResource(entry: string, { resource, subresource }: ResourceName): boolean {
  const named = splitEntry(entry);
  return (
    (named.resource === '*' || named.resource === resource) &&
    (named.subresource === '*' || named.subresource === subresource)
  );
}
