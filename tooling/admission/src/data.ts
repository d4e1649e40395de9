import { readFileSync } from 'node:fs';
import type { JsonObject } from './random.ts';

/** A resource with a plain object of its kind. */
export interface Sample {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly object: JsonObject & { readonly kind: string; readonly metadata: JsonObject };
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

/** Resources of many kinds. */
export const samples: readonly Sample[] = read('objects');

/** The definition of a custom kind that has a field of every sort. */
export const gadgetDefinition: JsonObject = read('gadget-definition');

/** Expressions of validating policies by their roles. */
export const validating: ValidatingData = read('validating');

/** Parts of expressions of mutating policies. */
export const mutating: MutatingData = read('mutating');
