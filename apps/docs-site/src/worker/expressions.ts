import type { Value } from '@kubeadmit/cel';
import { evaluateExpression } from '@kubeadmit/engine';
import { errorPlace } from '@kubeadmit/engine/environment';
import { isRecord, readDocuments } from '@kubeadmit/manifest';
import type { EvaluatedFile, Problem } from './judgement.ts';
import { type ReadFiles, shownProblem } from './read-files.ts';

/** The results of the expression files and the problems in them. */
export interface EvaluatedFiles {
  readonly expressions: readonly EvaluatedFile[];
  readonly problems: readonly Problem[];
}

/** Evaluates the files that hold one expression each, with the variables of the file beside them. */
export function evaluateFiles(
  { expressions, variables: source }: ReadFiles,
  kubernetesVersion: string,
): EvaluatedFiles {
  const { documents, problems: unreadable } =
    source === undefined ? { documents: [], problems: [] } : readDocuments(source);
  const problems = unreadable.map((problem) => shownProblem(problem, 'error'));
  const given = documents[0]?.value ?? {};
  if (!isRecord(given) && source !== undefined) {
    const message = 'expected an object with the values of variables';
    problems.push({ file: source.name, severity: 'error', message });
  }
  const variables = (isRecord(given) ? given : {}) as Readonly<Record<string, Value>>;
  const evaluated = [...expressions].map(([file, text]): EvaluatedFile => {
    const input = { expression: text, variables, kubernetesVersion };
    const { result, type, error, cost, issues = [] } = evaluateExpression(input);
    for (const { line, column, message } of issues) {
      problems.push({ file, severity: 'error', message, line, column: column + 1 });
    }
    if (error !== undefined) {
      const { line = 1, column = 0 } = errorPlace(input) ?? {};
      problems.push({ file, severity: 'error', message: error, line, column: column + 1 });
    }
    return {
      file,
      ...(result === undefined ? {} : { result }),
      ...(type === undefined ? {} : { type }),
      ...(error === undefined ? {} : { error }),
      ...(cost === undefined ? {} : { cost: Number(cost) }),
    };
  });
  return { expressions: evaluated, problems };
}
