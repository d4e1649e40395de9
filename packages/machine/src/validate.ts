import { validateWithDefinition } from '@kubeadmit/custom-resources/definitions';
import { type Answerer, CaseFailure } from './case.ts';
import { optionalText } from './fields.ts';
import { createSchemaSource } from './schema-source.ts';

/** Answers the cases of `kubeadmit machine validate -`. */
export function createValidateAnswerer(): Answerer {
  const schemasOf = createSchemaSource();
  return async (input) => {
    const { definition, object, oldObject } = input;
    if (definition === undefined) {
      throw new CaseFailure('not a case: expected `definition`, a CustomResourceDefinition');
    }
    const kubernetesVersion = optionalText(input, 'kubernetesVersion');
    const given = { definition, object, oldObject, kubernetesVersion };
    // The version only affects the language of rules: the kinds are those of the newest version.
    if (kubernetesVersion !== undefined) await schemasOf(kubernetesVersion);
    return { ...validateWithDefinition(given, await schemasOf()) };
  };
}
