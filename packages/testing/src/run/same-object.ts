import type { Manifest } from '@kubeadmit/manifest';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';

/** The setting of an update. */
interface Update {
  readonly schemas: Schemas;
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** Whether the objects may differ in their names. */
  readonly allowsRenaming?: boolean;
}

/** Why an update cannot make one object of another: it changes neither kind, name nor namespace. */
export function updateProblem(
  object: Manifest,
  old: Manifest,
  { schemas, namespace, allowsRenaming = false }: Update,
): string | undefined {
  const { group, version, kind, apiVersion } = object;
  if (old.apiVersion !== apiVersion || old.kind !== kind) {
    return `\`oldObject\` is a ${old.kind} of ${old.apiVersion}, but \`object\` is a ${kind} of ${apiVersion}; an update has the same object before and after it`;
  }
  const isNamespaced = findResourceOfKind(schemas, { group, version, kind })?.namespaced === true;
  const nameOf = ({ name, namespace: own }: Manifest): string =>
    isNamespaced ? `${own || namespace}/${name}` : name;
  const [before, after] = [nameOf(old), nameOf(object)];
  if (allowsRenaming || before === after) return undefined;
  return `\`oldObject\` is ${kind} ${before}, but \`object\` is ${kind} ${after}; an update has the same object before and after it`;
}
