import type { JsonObject } from '@kubeadmit/apimachinery';
import { compileConditions } from '../conditions/compile.ts';
import type { Needs } from '../conditions/readiness.ts';
import { field, objectsField, pickFields } from '../fields/fields.ts';

/** An entry of `mutate.targets`: which existing objects a rule mutates. */
export interface Target extends Needs {
  /** The fields that select the objects; variables in them are substituted. */
  readonly selected: JsonObject;
}

const selectingFields = ['apiVersion', 'kind', 'namespace', 'name', 'uid', 'selector'] as const;

/** Reads an entry of `mutate.targets`. */
export function compileTarget(source: JsonObject): Target {
  return {
    selected: pickFields(source, selectingFields),
    context: objectsField(source, 'context'),
    preconditions: compileConditions(field(source, 'preconditions')),
  };
}
