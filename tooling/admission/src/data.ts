import { readFileSync } from 'node:fs';
import type { JsonObject } from './json-object.ts';

/** An object as sent by a client, with its version and kind. */
export type SampleObject = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: JsonObject;
};

/** A resource or subresource with a plain object of its kind. */
export interface Sample {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subResource?: string;
  readonly namespaced: boolean;
  /** The supported operations; for complete resources, every operation except CONNECT. */
  readonly operations?: readonly string[];
  readonly object: SampleObject;
}

interface CustomKind {
  readonly definition: JsonObject & {
    readonly spec: {
      readonly group: string;
      readonly scope: string;
      readonly names: { readonly kind: string; readonly plural: string };
    };
  };
  readonly objects: readonly SampleObject[];
}

interface ValidatingData {
  readonly validations: readonly string[];
  readonly messages: readonly string[];
  readonly conditions: readonly string[];
  readonly annotations: readonly string[];
  readonly variables: Readonly<Record<string, readonly string[]>>;
}

interface MutatingData {
  readonly paths: readonly string[];
  readonly values: readonly string[];
  readonly applyConfigurations: readonly string[];
}

function read<Data>(name: string): Data {
  return JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), 'utf8')) as Data;
}

/** The definition of a custom kind that has a field of every sort. */
export const gadgetDefinition: JsonObject = read('gadget-definition');

const customKinds: readonly CustomKind[] = read('definitions');

/** The definitions of custom kinds, by kind. */
export const definitions: ReadonlyMap<string, JsonObject> = new Map([
  ['Gadget', gadgetDefinition],
  ...customKinds.map(({ definition }) => [definition.spec.names.kind, definition] as const),
]);

/** Resources of the built-in kinds, and the gadget. */
export const samples: readonly Sample[] = read('objects');

/** Resources of custom kinds. */
export const customSamples: readonly Sample[] = customKinds.flatMap(({ definition, objects }) => {
  const { group, scope, names } = definition.spec;
  return objects.map((object) => ({
    group,
    version: object.apiVersion.slice(group.length + 1),
    resource: names.plural,
    namespaced: scope === 'Namespaced',
    object,
  }));
});

/** Subresources, with the objects that are sent to them. */
export const subresourceSamples: readonly Sample[] = read('subresources');

/** Expressions of validating policies by their roles. */
export const validating: ValidatingData = read('validating');

/** Parts of expressions of mutating policies. */
export const mutating: MutatingData = read('mutating');
