import type { MutatingSpec, PolicySpec, ValidatingSpec } from '@kubeadmit/engine';

/** The places of a policy's expressions, by their texts; the same text may stand in several. */
export type ExpressionPaths = ReadonlyMap<string, readonly string[]>;

/** Finds where the expressions of a policy stand. */
export function expressionPaths(given: PolicySpec): ExpressionPaths {
  const spec: ValidatingSpec & MutatingSpec = given;
  const paths = new Map<string, string[]>();
  const add = (text: string | undefined, path: string): void => {
    if (text === undefined) return;
    const known = paths.get(text);
    if (known === undefined) paths.set(text, [path]);
    else known.push(path);
  };
  for (const [i, each] of (spec.variables ?? []).entries()) {
    add(each.expression, `${variablesPath}[${i}].expression`);
  }
  for (const [i, each] of (spec.matchConditions ?? []).entries()) {
    add(each.expression, `spec.matchConditions[${i}].expression`);
  }
  for (const [i, each] of (spec.validations ?? []).entries()) {
    add(each.expression, `spec.validations[${i}].expression`);
  }
  for (const [i, each] of (spec.validations ?? []).entries()) {
    add(each.messageExpression, `spec.validations[${i}].messageExpression`);
  }
  for (const [i, each] of (spec.auditAnnotations ?? []).entries()) {
    add(each.valueExpression, `spec.auditAnnotations[${i}].valueExpression`);
  }
  for (const [i, { applyConfiguration, jsonPatch }] of (spec.mutations ?? []).entries()) {
    add(applyConfiguration?.expression, `spec.mutations[${i}].applyConfiguration.expression`);
    add(jsonPatch?.expression, `spec.mutations[${i}].jsonPatch.expression`);
  }
  return paths;
}

const variablesPath = 'spec.variables';

/** Whether a path is that of a variable, which is evaluated when something reads it. */
export function isVariablePath(path: string): boolean {
  return path.startsWith(variablesPath);
}
