import { type EvaluateCase, evaluateCase, UnknownVersionError } from '@kubeadmit/engine';
import { optionalObject, optionalText, ownField } from './fields.ts';
import { type Answer, type Case, CaseFailure } from './lines.ts';

/** Answers a case of `kubeadmit eval --batch -`. */
export function answerEvalCase(input: Case): Answer {
  try {
    return { ...evaluateCase(readEvalCase(input)) };
  } catch (error) {
    if (error instanceof UnknownVersionError) throw new CaseFailure(error.message);
    throw error;
  }
}

/**
 * The fields of a case of `kubeadmit eval --batch -`.
 *
 * @throws CaseFailure when one of them has the wrong type.
 */
export function readEvalCase(input: Case): EvaluateCase {
  const declarations = optionalObject(input, 'declarations') ?? {};
  for (const [name, type] of Object.entries(declarations)) {
    if (typeof type !== 'string') {
      throw new CaseFailure(`not a case: the declaration of \`${name}\` must be a text`);
    }
  }
  const budget = ownField(input, 'budget') ?? undefined;
  if (budget !== undefined && typeof budget !== 'number') {
    throw new CaseFailure('not a case: `budget` must be a number');
  }
  return {
    expression: optionalText(input, 'expression') ?? '',
    variables: optionalObject(input, 'variables') as EvaluateCase['variables'],
    declarations: declarations as EvaluateCase['declarations'],
    kubernetesVersion: optionalText(input, 'kubernetesVersion'),
    budget,
  };
}
