import {
  type Bindings,
  type CompiledValidatingPolicy,
  compileValidatingPolicy,
  evaluateValidatingPolicy,
  namespaceValue,
  PolicyCompilers,
  type RequestAttributes,
  requestValue,
  type UserInfo,
} from '@kubeadmit/engine';
import { metadataOf, objectKindOf } from '../match/subject.ts';
import { field, objectField, objectsField, textField } from '../policy/fields.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { Rule } from '../policy/rule.ts';
import { isObject, type JsonObject } from '../values/value.ts';
import { toCelValue } from './cel-value.ts';
import type { RuleOutcome } from './outcome.ts';

/** The minor version of Kubernetes whose CEL libraries Kyverno 1.19 has. */
const kubernetesMinor = 36;

const compiledRules = new WeakMap<Rule, CompiledValidatingPolicy>();
let compilers: PolicyCompilers | undefined;

/** Applies a rule with `validate.cel` to a request (Kyverno's CEL handler). */
export function validateCel(request: PolicyRequest, rule: Rule, validate: JsonObject): RuleOutcome {
  const cel = objectField(validate, 'cel') ?? {};
  if (field(cel, 'paramKind') !== undefined) {
    return {
      status: 'error',
      message: 'error in parameterized resource: parameters need a cluster',
    };
  }
  const compiled = compiledRules.get(rule) ?? compileCel(rule, validate, cel);
  compiledRules.set(rule, compiled);
  const common = bindingsOf(request);
  const result = evaluateValidatingPolicy(compiled, {
    conditions: { ...common, namespaceObject: null },
    validations: common,
    messages: common,
    auditAnnotations: common,
  });
  if (result.conditions.outcome === 'noMatch') {
    return { status: 'skip', message: 'cel preconditions not met' };
  }
  for (const { action, evaluation, message } of result.decisions) {
    if (action === 'deny') return { status: 'fail', message };
    if (evaluation === 'error') return { status: 'error', message };
  }
  return { status: 'pass', message: `Validation rule '${rule.name}' passed.` };
}

function compileCel(rule: Rule, validate: JsonObject, cel: JsonObject): CompiledValidatingPolicy {
  compilers ??= new PolicyCompilers(kubernetesMinor);
  const message = textField(validate, 'message');
  return compileValidatingPolicy(
    {
      matchConditions: objectsField(rule.source, 'celPreconditions'),
      variables: objectsField(cel, 'variables'),
      validations: objectsField(cel, 'expressions').map((validation) => ({
        ...validation,
        message: textField(validation, 'message') || message,
      })),
      auditAnnotations: objectsField(cel, 'auditAnnotations').map((annotation) => ({
        key: textField(annotation, 'key'),
        valueExpression: textField(annotation, 'valueExpression'),
      })),
    },
    compilers.composing(),
  );
}

function bindingsOf({ object, oldObject, operation, request }: PolicyRequest): Bindings {
  const subject = object ?? oldObject ?? {};
  const kind = request.facts.kind ?? objectKindOf(subject);
  const metadata = metadataOf(subject);
  const isNamespace = kind.kind === 'Namespace' && kind.version === 'v1' && kind.group === '';
  const namespace = isNamespace ? '' : textField(metadata, 'namespace');
  const resource = { group: '', version: '', resource: '' };
  const attributes: RequestAttributes = {
    kind,
    resource,
    subresource: '',
    name: textField(metadata, 'name'),
    namespace,
    operation,
    user: userOf(request.userVariables),
    object: null,
    oldObject: null,
    dryRun: false,
    options: null,
  };
  return {
    object: toCelValue(object ?? null),
    oldObject: toCelValue(oldObject ?? null),
    request: requestValue(attributes, { kind, resource }),
    namespaceObject: namespace === '' ? null : namespaceValue({ metadata: { name: namespace } }),
    params: null,
  };
}

function userOf(variables: JsonObject | undefined): UserInfo {
  const info = variables === undefined ? undefined : field(variables, 'userInfo');
  return isObject(info) ? (info as UserInfo) : {};
}
