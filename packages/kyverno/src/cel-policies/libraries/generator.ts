import type { JsonObject } from '@kubeadmit/apimachinery';
import { CelError, type Library, type Type, type Value } from '@kubeadmit/cel';
import { opaqueType } from '@kubeadmit/cel/types';
import { noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import { functionsNamed } from './declare.ts';
import { structObjects } from './struct-form.ts';

/** The type of the variable `generator`. */
export const generatorType: Type = opaqueType('generator.Context');

/** Takes the objects that a policy generates in a namespace; returns why they cannot be generated. */
export type GenerateInNamespace = (
  namespace: string,
  objects: readonly JsonObject[],
) => string | undefined;

/** The value of the variable `generator`. */
export class GeneratorValue extends OpaqueValue {
  readonly type: Type = generatorType;
  readonly goType: string = 'generator.Context';
  readonly generate: GenerateInNamespace;

  constructor(generate: GenerateInNamespace) {
    super();
    this.generate = generate;
  }

  equals(other: Value): boolean | CelError {
    return other === this ? true : noOverload();
  }
}

/**
 * The generation of objects (Kyverno's `kyverno.generator`): `generator.apply("default", [{"kind": "ConfigMap"}])`. For
 * policies of a namespace, the parameter for the namespace is absent.
 */
export function generatorLibrary(namespace: string): Library {
  const objects = 'list<map<string, any>>) -> bool';
  const ofCluster = (generator: GeneratorValue, place: string, list: Value): Value =>
    apply(generator, place, list, 2);
  const ofNamespace = (generator: GeneratorValue, list: Value): Value =>
    apply(generator, namespace, list, 1);
  return {
    name: 'kyverno.generator',
    types: [generatorType],
    functions: functionsNamed(
      namespace === ''
        ? [
            [
              'Apply apply',
              'generator_apply_string_list',
              `Generator.(string, ${objects}`,
              ofCluster,
            ],
          ]
        : [['Apply apply', 'generator_apply_list', `Generator.(${objects}`, ofNamespace]],
      { Generator: generatorType },
    ),
  };
}

function apply(
  { generate }: GeneratorValue,
  namespace: string,
  list: Value,
  argument: number,
): Value {
  const objects = structObjects(list);
  if (objects instanceof CelError) {
    return new CelError(`invalid arg ${argument}: ${objects.message}`);
  }
  const problem = generate(namespace, objects);
  return problem === undefined ? true : new CelError(`failed to generate resources: ${problem}`);
}
