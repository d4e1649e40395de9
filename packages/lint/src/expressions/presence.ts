import {
  formatGroupVersion,
  type GroupVersionKind,
  isObject,
  objectOf,
} from '@kubeadmit/apimachinery';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { findDefinition, type StructuralSchema } from '@kubeadmit/schemas/definitions';
import { type MergeType, mergeType } from '@kubeadmit/schemas/merge';
import { type AccessPath, element } from './access-path.ts';
import { schemaBelow, typeBelow, valueIn } from './type-below.ts';

/** Knows of the kinds that a policy sees whether values are always there. */
export class Presence {
  readonly #schemas: Schemas;
  readonly #known = new Map<string, boolean | undefined>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /**
   * Whether a value exists in every object of a kind whose parent value exists; undefined if that is unknown, or if the
   * kind does not have the field.
   */
  isAlways(kind: GroupVersionKind, steps: AccessPath): boolean | undefined {
    const key = `${formatGroupVersion(kind)}/${kind.kind} ${steps.join(' ')}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#find(kind, steps));
    return this.#known.get(key);
  }

  #find(kind: GroupVersionKind, steps: AccessPath): boolean | undefined {
    const last = steps.at(-1) ?? '';
    if (last === element) return undefined;
    const [first, second] = steps;
    if (first === 'metadata') {
      if (steps.length === 1) return true;
      if (steps.length === 2) return optionalMetadata.has(second ?? '') ? false : undefined;
    }
    if (first === 'apiVersion' || first === 'kind') return true;
    // The server rejects containers without an image before policies are evaluated.
    if (last === 'image' && steps.at(-2) === element) return true;
    const type = this.#typeOf(kind, steps.slice(0, -1));
    if (type?.map === undefined) return undefined;
    const declared = type.map.field(plainStep(last));
    if (declared === undefined) return type.map.element === undefined ? undefined : false;
    const definition = findDefinition(this.#schemas, kind);
    if (definition !== undefined) return isRequired(definition.version?.schema, steps);
    return this.#isDecoded(kind, steps);
  }

  #typeOf(kind: GroupVersionKind, steps: AccessPath): MergeType | undefined {
    return typeBelow(mergeType(this.#schemas, kind), plainSteps(steps));
  }

  // The server writes fields without `omitempty`, and sets defaults: decoding shows both.
  #isDecoded(kind: GroupVersionKind, steps: AccessPath): boolean | undefined {
    const { group, version, kind: name } = kind;
    const apiVersion = formatGroupVersion({ group, version });
    const object = {
      apiVersion,
      kind: name,
      metadata: { name: 'a' },
      ...objectOf(valueIn(plainSteps(steps.slice(0, -1)), {})),
    };
    let value: unknown = decode(this.#schemas, object).object;
    for (const step of steps.slice(0, -1)) {
      value =
        step === element ? (Array.isArray(value) ? value[0] : undefined) : fieldOf(value, step);
    }
    if (!isObject(value)) return undefined;
    return fieldOf(value, steps.at(-1) ?? '') !== undefined;
  }
}

/** Fields that every object may have or not. */
const optionalMetadata: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'generateName',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

function plainSteps(steps: AccessPath): readonly string[] {
  return steps.map((step) => (step === element ? step : plainStep(step)));
}

function plainStep(step: string): string {
  return step.startsWith('["') ? String(JSON.parse(step.slice(1, -1))) : step;
}

function fieldOf(value: unknown, step: string): unknown {
  return isObject(value) ? value[plainStep(step)] : undefined;
}

function isRequired(root: StructuralSchema | undefined, steps: AccessPath): boolean | undefined {
  const schema = schemaBelow(root, plainSteps(steps.slice(0, -1)));
  const name = plainStep(steps.at(-1) ?? '');
  const field = schema?.properties.get(name);
  if (schema === undefined || field === undefined) return undefined;
  const required = schema.source['required'];
  const isListed = Array.isArray(required) && required.includes(name);
  return isListed || (field.default !== undefined && field.default !== null);
}
