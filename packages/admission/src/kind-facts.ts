import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  sameKind,
} from '@kubeadmit/apimachinery';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { type MergeType, mergeType } from '@kubeadmit/schemas/merge';
import { hasGoForm } from '@kubeadmit/schemas/unstable-internal';

/** The facts about a kind that mutations depend on. */
export interface KindFacts {
  /** The kind in texts: `apps/v1, Kind=Deployment`. */
  readonly text: string;
  readonly apiVersion: string;
  readonly isCustom: boolean;
  /** Whether the group and version of the kind have published schemas. */
  readonly hasSchema: boolean;
  /** Whether decoding gives the objects of the kind the form of a Go type. */
  readonly hasGoForm: boolean;
  /** How objects merge; `undefined` when no schema has the kind. */
  readonly merge: MergeType | undefined;
}

interface KnownKinds {
  readonly byText: Map<string, KindFacts>;
  /** The last kind that was looked up; consecutive requests are mostly of few kinds. */
  last?: { readonly kind: GroupVersionKind; readonly facts: KindFacts };
}

const known = new WeakMap<Schemas, KnownKinds>();

/** Returns the facts about a kind that mutations depend on, computed once for each kind of the schemas. */
export function kindFacts(schemas: Schemas, kind: GroupVersionKind): KindFacts {
  const kinds: KnownKinds = known.get(schemas) ?? { byText: new Map() };
  if (kinds.last !== undefined && sameKind(kinds.last.kind, kind)) return kinds.last.facts;
  const text = formatGroupVersionKind(kind);
  const facts = kinds.byText.get(text) ?? findFacts(schemas, kind, text);
  // Objects may name any kind; those that do not exist must not fill the memory.
  if (facts.merge === undefined) return facts;
  known.set(schemas, kinds);
  kinds.byText.set(text, facts);
  kinds.last = { kind, facts };
  return facts;
}

function findFacts(schemas: Schemas, kind: GroupVersionKind, text: string): KindFacts {
  const custom = findDefinition(schemas, kind);
  const apiVersion = formatGroupVersion(kind);
  return {
    text,
    apiVersion,
    isCustom: custom !== undefined,
    hasSchema:
      custom === undefined
        ? isBuiltinVersion(schemas, apiVersion)
        : custom.version?.served === true && custom.version.schema !== undefined,
    hasGoForm: hasGoForm(schemas, kind),
    merge: mergeType(schemas, kind),
  };
}

function isBuiltinVersion(schemas: Schemas, apiVersion: string): boolean {
  return listResources(schemas).some(
    (resource) => resource.definition === undefined && formatGroupVersion(resource) === apiVersion,
  );
}
