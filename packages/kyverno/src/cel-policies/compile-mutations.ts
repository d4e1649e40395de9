import type { JsonObject } from '@kubeadmit/apimachinery';
import { isSameType, listOf } from '@kubeadmit/cel/types';
import { jsonPatchType, objectType } from '@kubeadmit/engine/environment';
import type { CompiledMatch } from '@kubeadmit/matcher';
import { objectField, objectsField, stringField, textsField } from '../fields/fields.ts';
import type { CelProgram, ExpressionCompiler } from './compile-expressions.ts';
import { compileConstraints } from './constraints.ts';
import { resourceObjectType } from './libraries/resource.ts';
import type { PatchType } from './patch.ts';

/** The existing objects that a MutatingPolicy changes (`spec.evaluation.mutateExisting`). */
export interface CompiledTargets {
  /** Chooses them where no expression names them; undefined chooses none. */
  readonly match: CompiledMatch | undefined;
  /** The same with the operations of the constraints, which count in a cluster. */
  readonly matchInCluster: CompiledMatch | undefined;
  /** The resources that the constraints name, for the objects to read. */
  readonly resources: readonly TargetResource[];
  /** Gives one of them, or a list of them as `items`. */
  readonly expression: CelProgram | undefined;
  readonly conditions: readonly CelProgram[];
}

/** A resource that constraints name. */
export interface TargetResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the objects themselves. */
  readonly subresource: string;
}

/** A mutation of a MutatingPolicy. */
export interface CompiledMutation {
  readonly type: PatchType;
  readonly program: CelProgram;
}

/** Compiles the choice of existing objects. Of the constraints everything counts but the operations. */
export function compileTargets(
  spec: JsonObject,
  compiler: ExpressionCompiler,
): CompiledTargets | undefined {
  const own = objectField(spec, 'targetMatchConstraints') ?? {};
  const expression = compileTargetExpression(stringField(own, 'expression'), compiler);
  const conditions = compiler.conditions(spec, 'targetMatchConditions');
  const existing = objectField(objectField(spec, 'evaluation') ?? {}, 'mutateExisting') ?? {};
  if (existing['enabled'] !== true) return undefined;
  const hasRules = objectsField(own, 'resourceRules').length > 0;
  const constraints = hasRules ? own : objectField(spec, 'matchConstraints');
  const match = constraints && compileConstraints(constraints, ['*']);
  return {
    match,
    matchInCluster: constraints && compileConstraints(constraints),
    resources: resourcesOf(constraints ?? {}),
    expression,
    conditions,
  };
}

function resourcesOf(constraints: JsonObject): readonly TargetResource[] {
  return objectsField(constraints, 'resourceRules').flatMap((rule) =>
    textsField(rule, 'apiGroups').flatMap((group) =>
      textsField(rule, 'apiVersions').flatMap((version) =>
        textsField(rule, 'resources').map((text) => {
          const [resource = '', subresource = ''] = text.split('/');
          return { group, version, resource, subresource };
        }),
      ),
    ),
  );
}

function compileTargetExpression(
  expression: string,
  compiler: ExpressionCompiler,
): CelProgram | undefined {
  if (expression === '') return undefined;
  const path = 'spec.targetMatchConstraints.expression';
  const program = compiler.compile(expression, path);
  if (program === undefined || isSameType(program.type, resourceObjectType)) return program;
  compiler.report(path, expression, 'output type must be a map');
  return undefined;
}

/** Compiles `spec.mutations` of a MutatingPolicy. */
export function compileMutations(
  spec: JsonObject,
  compiler: ExpressionCompiler,
): readonly CompiledMutation[] {
  return objectsField(spec, 'mutations').flatMap((mutation, index): CompiledMutation[] => {
    const path = `spec.mutations[${index}]`;
    const type = stringField(mutation, 'patchType');
    const [field, result] =
      type === 'JSONPatch'
        ? ['jsonPatch', listOf(jsonPatchType)]
        : ['applyConfiguration', objectType];
    const patch = objectField(mutation, field);
    if (patch === undefined || (type !== 'JSONPatch' && type !== 'ApplyConfiguration')) return [];
    const expression = stringField(patch, 'expression');
    const program = compiler.compile(expression, `${path}.${field}.expression`, [result]);
    return program === undefined ? [] : [{ type, program }];
  });
}
