import { unescapePointerSegment } from '@kubeadmit/go';
import type { Resource, Schemas } from '@kubeadmit/schemas';
import { type Shape, structNamed, structOf, structShape } from '@kubeadmit/schemas/types';

/** Whether objects of a kind may have a value at a JSON pointer; unknown fields count as present. */
export function hasField(resource: Resource, pointer: string, schemas: Schemas): boolean {
  const struct = structOf(schemas, resource);
  let shape: Shape | undefined = struct && structShape(struct.name);
  for (const step of stepsIn(pointer)) {
    if (shape === undefined) return true;
    if (shape.kind === 'list' || shape.kind === 'map') shape = shape.element;
    else if (shape.kind !== 'struct' || shape.struct === undefined) return true;
    // A computed step may be any field.
    else if (step.includes('{')) return true;
    else {
      const field: { readonly shape: Shape } | undefined = structNamed(
        schemas,
        shape.struct,
      )?.byName.get(step);
      if (field === undefined) return false;
      shape = field.shape;
    }
  }
  return true;
}

// A computed part may contain slashes and several steps.
function stepsIn(pointer: string): readonly string[] {
  const at = pointer.indexOf('{');
  if (at === 0) return [];
  return pointer
    .replace(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '{}')
    .split('/')
    .slice(1)
    .map(unescapePointerSegment);
}
