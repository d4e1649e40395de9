import type { JsonObject } from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import {
  type CompiledValidatingPolicy,
  compileValidatingPolicy,
  evaluateValidatingPolicy,
} from '@kubeadmit/engine';
import type { PolicyCompiler } from '@kubeadmit/engine/unstable-internal';
import { celBindings } from '../cel/cel-bindings.ts';
import { toCelValue } from '../cel/cel-value.ts';
import { type RuleObserver, ruleCompilers } from '../cel/observed-rules.ts';
import { objectField, objectsField, stringField } from '../fields/fields.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import type { RuleOutcome } from '../trace/outcome.ts';
import { celParameters, hasParameters } from './cel-parameters.ts';

/** A rule with `validate.cel`. */
export interface CelHandler {
  readonly kind: 'cel';
  readonly source: JsonObject;
  readonly cel: JsonObject;
  readonly compiled: () => CompiledValidatingPolicy;
}

/** Reads a rule with `validate.cel`. */
export function compileCel(rule: Rule, source: JsonObject, observer?: RuleObserver): CelHandler {
  const cel = objectField(source, 'cel') ?? {};
  const compiled = lazily(() =>
    compile(rule, source, cel, ruleCompilers(rule, observer).composing()),
  );
  return { kind: 'cel', source, cel, compiled };
}

/** Applies a rule with `validate.cel` to a request (Kyverno's CEL handler). */
export function validateCel(
  request: PolicyRequest,
  rule: Rule,
  { cel, compiled }: CelHandler,
): RuleOutcome {
  const parameters = celParameters(request, cel);
  if (typeof parameters === 'string') {
    return { status: 'error', message: `error in parameterized resource: ${parameters}` };
  }
  const bindings = celBindings(request, request, '');
  for (const parameter of parameters) {
    const common = { ...bindings, params: parameter && toCelValue(parameter) };
    const result = evaluateValidatingPolicy(compiled(), {
      conditions: { ...common, namespaceObject: null },
      validations: common,
      messages: common,
      auditAnnotations: common,
    });
    if (result.conditions.outcome === 'noMatch') {
      return { status: 'skip', message: 'cel preconditions not met' };
    }
    for (const [index, { action, evaluation, message }] of result.decisions.entries()) {
      const isHeld = action !== 'deny' && evaluation !== 'error';
      const outcome = isHeld ? 'holds' : evaluation === 'error' ? 'error' : 'fail';
      request.context.trace?.add({
        kind: 'cel',
        index,
        outcome,
        ...(isHeld || message === undefined ? {} : { message }),
      });
      if (action === 'deny') return { status: 'fail', message };
      if (evaluation === 'error') return { status: 'error', message };
    }
  }
  return { status: 'pass', message: `Validation rule '${rule.name}' passed.` };
}

function compile(
  rule: Rule,
  validate: JsonObject,
  cel: JsonObject,
  compiler: PolicyCompiler,
): CompiledValidatingPolicy {
  const message = stringField(validate, 'message');
  return compileValidatingPolicy(
    {
      ...(hasParameters(cel) && { paramKind: objectField(cel, 'paramKind') ?? {} }),
      matchConditions: objectsField(rule.source, 'celPreconditions'),
      variables: objectsField(cel, 'variables'),
      validations: objectsField(cel, 'expressions').map((validation) => ({
        ...validation,
        message: stringField(validation, 'message') || message,
      })),
      auditAnnotations: objectsField(cel, 'auditAnnotations').map((annotation) => ({
        key: stringField(annotation, 'key'),
        valueExpression: stringField(annotation, 'valueExpression'),
      })),
    },
    compiler,
  );
}
