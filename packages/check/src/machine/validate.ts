import { validateCase } from '@kubeadmit/engine';
import { type Answerer, CaseFailure } from './case.ts';
import { createSchemaSource } from './schema-source.ts';

/** Answers the cases of `kubeadmit validate -`. */
export function createValidateAnswerer(): Answerer {
  const schemasOf = createSchemaSource();
  return async ({ definition, object, oldObject }) => {
    if (definition === undefined) {
      throw new CaseFailure('not a case: expected `definition`, a CustomResourceDefinition');
    }
    return { ...validateCase({ definition, object, oldObject }, await schemasOf()) };
  };
}
