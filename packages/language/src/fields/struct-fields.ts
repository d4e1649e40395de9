import type { Type } from '@kubeadmit/cel';
import { dynType, listOf, mapOf, stringType, structType } from '@kubeadmit/cel/types';
import { escapeProperty, leafDeclared, scalarType } from '@kubeadmit/schemas/cel';
import type { Shape, StructType } from '@kubeadmit/schemas/types';
import type { FieldInfo, Fields } from './field-info.ts';

/** The fields of a struct of Go; `owner` names it for people. */
export function structFields({ fields, ownName }: StructType, owner: string = ownName): Fields {
  return new Map(
    fields.map(({ name, shape }): [string, FieldInfo] => [
      name,
      {
        name,
        escaped: escapedName(name),
        type: shapeType(shape),
        about: shapeText(shape),
        owner,
        go: shape.go.replace(/^[*[\]]+/, ''),
      },
    ]),
  );
}

/** The name in expressions; words of CEL can be written as they are behind a dot. */
export function escapedName(name: string): string | undefined {
  const escaped = escapeProperty(name);
  return escaped === `__${name}__` ? name : escaped;
}

function shapeType(shape: Shape): Type {
  switch (shape.kind) {
    case 'struct':
      return structType(shape.struct ?? '');
    case 'list':
      return listOf(shape.element ? shapeType(shape.element) : dynType);
    case 'map':
      return mapOf(stringType, shape.element ? shapeType(shape.element) : dynType);
    case 'own':
      return shapeType(written(shape));
    case 'quantity':
      return stringType;
    default: {
      const declared = leafDeclared(shape.kind);
      return declared === undefined ? dynType : scalarType(declared);
    }
  }
}

const shapeNames: Readonly<Partial<Record<Shape['kind'], string>>> = {
  string: 'text',
  bool: 'truth value',
  int32: 'integer',
  int64: 'integer',
  float64: 'number',
  bytes: 'bytes in base64',
  time: 'time',
  microtime: 'time with microseconds',
  quantity: 'quantity',
  intorstring: 'integer or string',
  any: 'any value',
};

function shapeText(shape: Shape): string {
  if (shape.kind === 'struct') return shape.struct?.split('.').at(-1) ?? 'object';
  if (shape.kind === 'list' || shape.kind === 'map') {
    return `${shape.kind} of ${shape.element ? shapeText(shape.element) : 'anything'}`;
  }
  if (shape.kind === 'own') return shapeText(written(shape));
  return shapeNames[shape.kind] ?? shape.kind;
}

/** Returns the current form of a type that reads several: the last one. */
function written({ choices = [] }: Shape): Shape {
  return choices.at(-1) as Shape;
}
