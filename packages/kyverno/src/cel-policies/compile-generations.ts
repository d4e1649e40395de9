import type { JsonObject } from '@kubeadmit/apimachinery';
import { boolType } from '@kubeadmit/cel/types';
import { objectField, objectsField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { CelProgram, ExpressionCompiler } from './compile-expressions.ts';
import { compileTemplate, type Template } from './generation-template.ts';

/** An entry of `spec.generate`: an expression that calls the generator, or a template of objects. */
export type CompiledGeneration = { readonly program: CelProgram } | { readonly template: Template };

/** Compiles `spec.generate` of a GeneratingPolicy. */
export function compileGenerations(
  spec: JsonObject,
  compiler: ExpressionCompiler,
): readonly CompiledGeneration[] {
  return objectsField(spec, 'generate').flatMap((entry, index): CompiledGeneration[] => {
    const path = `spec.generate[${index}]`;
    const template = objectField(entry, 'template');
    if (template === undefined) {
      const expression = stringField(entry, 'expression');
      const program = compiler.compile(expression, `${path}.expression`, [boolType]);
      return program === undefined ? [] : [{ program }];
    }
    const text = stringField(template, 'value');
    const isInterpolated = stringField(template, 'interpolate') === 'cel';
    const compiled = compileTemplate(
      text,
      isInterpolated ? (expression) => compiler.compilePlaceholder(expression) : undefined,
    );
    if (!(compiled instanceof Failure)) return [{ template: compiled }];
    compiler.report(`${path}.template.value`, text, compiled.message);
    return [];
  });
}
