import { type ExpressionInput, evaluateExpression, UnknownVersionError } from '@kubeadmit/engine';
import { prepareExpression } from '@kubeadmit/engine/unstable-internal';
import { type Answer, type Case, CaseFailure } from './case.ts';
import { optionalObject, optionalText, ownField } from './fields.ts';

/** Answers a case of `kubeadmit machine eval -`. */
export function answerEvalCase(input: Case): Answer {
  try {
    return { ...evaluateExpression(readEvalCase(input)) };
  } catch (error) {
    if (error instanceof UnknownVersionError) throw new CaseFailure(error.message);
    throw error;
  }
}

/** Prepares the same case. The measured run is the evaluation of a compiled expression. */
export function prepareEvalCase(input: Case): () => unknown {
  const prepared = prepareExpression(readEvalCase(input));
  if (!('program' in prepared)) {
    const issues = prepared.issues?.map(({ message }) => message).join('; ');
    throw new CaseFailure(prepared.failure ?? issues ?? 'the expression does not compile');
  }
  const { program, values, costLimit } = prepared;
  return () => program.evaluate(values, { costLimit });
}

function readEvalCase(input: Case): ExpressionInput {
  const declarations = optionalObject(input, 'declarations') ?? {};
  for (const [name, type] of Object.entries(declarations)) {
    if (typeof type !== 'string') {
      throw new CaseFailure(`not a case: the declaration of \`${name}\` must be a string`);
    }
  }
  const budget = ownField(input, 'budget') ?? undefined;
  if (budget !== undefined && typeof budget !== 'number') {
    throw new CaseFailure('not a case: `budget` must be a number');
  }
  return {
    expression: optionalText(input, 'expression') ?? '',
    variables: optionalObject(input, 'variables') as ExpressionInput['variables'],
    declarations: declarations as ExpressionInput['declarations'],
    kubernetesVersion: optionalText(input, 'kubernetesVersion'),
    budget,
  };
}
