import {
  formatGroupVersionKind,
  type GroupVersionKind,
  groupVersionKindOf,
} from '@kubeadmit/apimachinery';
import { requirePolicy } from '@kubeadmit/apimachinery/unstable-internal';
import { formatIssues, type StructProvider, type Type } from '@kubeadmit/cel';
import { dynType } from '@kubeadmit/cel/types';
import { compareText } from '@kubeadmit/go';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { declaredStructs, declaredType } from '@kubeadmit/schemas/cel';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { baseEnvironment } from '../environment/base-environment.ts';
import {
  joinStructs,
  namespaceType,
  requestStructs,
  requestType,
} from '../environment/request-structs.ts';
import { authorizerType } from '../libraries/authorizer.ts';
import { variablesType } from './lazy-variables.ts';
import type { ResourceRule, ValidatingPolicy, ValidatingSpec } from './model.ts';
import { declarable } from './policy-compilers.ts';

const checkedTypesLimit = 10;

/** The warning of the type checker about one expression (`status.typeChecking.expressionWarnings`). */
export interface ExpressionWarning {
  /** The path of the expression: `spec.validations[0].expression`. */
  readonly fieldRef: string;
  /** The message, as in `status.typeChecking`. */
  readonly warning: string;
}

/**
 * Checks the validations of a policy against the types of the kinds that it matches, as kube-apiserver's controller
 * does (apiserver policy/validating/typechecking.go).
 *
 * Warnings never affect admission.
 *
 * @throws TypeError if `policy` is not a ValidatingAdmissionPolicy (its spec alone is not enough), or `schemas` is
 * missing.
 */
export function checkTypes(policy: ValidatingPolicy, schemas: Schemas): ExpressionWarning[] {
  requirePolicy('checkTypes', policy, 'ValidatingAdmissionPolicy');
  requireSchemas('checkTypes', schemas);
  const spec = policy.spec ?? {};
  const checkers = kindsToCheck(spec, schemas).flatMap((kind) => {
    const checker = kindChecker(kind, spec, schemas);
    return checker === undefined ? [] : [checker];
  });
  const warnings: ExpressionWarning[] = [];
  const check = (expression: string, fieldRef: string): void => {
    const texts = checkers.flatMap((checker) => checker(expression) ?? []);
    if (texts.length > 0) warnings.push({ fieldRef, warning: texts.join('\n') });
  };
  for (const [i, { expression = '', messageExpression = '' }] of (
    spec.validations ?? []
  ).entries()) {
    check(expression, `spec.validations[${i}].expression`);
    if (messageExpression !== '') {
      check(messageExpression, `spec.validations[${i}].messageExpression`);
    }
  }
  return warnings;
}

/** Checks an expression. Returns the error, or undefined. */
type KindChecker = (expression: string) => string | undefined;

function kindChecker(
  kind: GroupVersionKind,
  spec: ValidatingSpec,
  schemas: Schemas,
): KindChecker | undefined {
  const object = structsOf(kind, schemas);
  if (object === undefined) return undefined;
  const params = spec.paramKind == null ? undefined : paramStructs(spec, schemas);
  const variables = new Map<string, Type>();
  const composed: StructProvider = {
    has: (name) => name === variablesType.name,
    fieldType: (_name, field) => variables.get(field),
  };
  const environment = baseEnvironment().extend({
    structs: joinStructs(composed, object.structs, params?.structs, requestStructs),
    variables: {
      object: object.type,
      oldObject: object.type,
      namespaceObject: namespaceType,
      request: requestType,
      ...(spec.paramKind == null ? {} : { params: params?.type ?? dynType }),
      // Without `authorizer.requestResource`, which therefore is reported.
      authorizer: authorizerType,
      variables: variablesType,
    },
  });
  for (const { name = '', expression = '' } of spec.variables ?? []) {
    const { checked } = environment.compile(expression);
    const type = checked?.types[checked.expression.id] ?? dynType;
    variables.set(name, declarable(type));
  }
  return (expression) => {
    const { checked, issues, source } = environment.compile(expression);
    if (checked !== undefined) return undefined;
    return `${formatGroupVersionKind(kind)}: ${formatIssues(source, issues)}\n`;
  };
}

interface Structs {
  readonly type: Type;
  readonly structs: StructProvider;
}

function structsOf(kind: GroupVersionKind, schemas: Schemas): Structs | undefined {
  const declared = declaredType(schemas, kind);
  if (declared === undefined) return undefined;
  const structs = declaredStructs(declared, kind.kind);
  return { type: structs.type, structs };
}

function paramStructs({ paramKind }: ValidatingSpec, schemas: Schemas): Structs | undefined {
  const { apiVersion = '', kind = '' } = paramKind ?? {};
  return structsOf(groupVersionKindOf(apiVersion, kind), schemas);
}

// The kinds that the rules name without wildcards, at most ten of one rule.
function kindsToCheck(spec: ValidatingSpec, schemas: Schemas): GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  const sorted = (): GroupVersionKind[] => [...kinds.values()].sort(compareKinds);
  for (const rule of spec.matchConstraints?.resourceRules ?? []) {
    let count = 0;
    for (const { group, version, resource } of namedResources(rule)) {
      for (const kind of kindsFor(schemas, group, version, resource)) {
        kinds.set(formatGroupVersionKind(kind), kind);
        count++;
        if (count === checkedTypesLimit) return sorted();
      }
    }
  }
  return sorted();
}

type Named = { readonly group: string; readonly version: string; readonly resource: string };

function namedResources(rule: ResourceRule): Named[] {
  const groups = rule.apiGroups ?? [];
  const versions = rule.apiVersions ?? [];
  const resources = (rule.resources ?? []).filter((resource) => !/[*/]/.test(resource));
  if ([...groups, ...versions].some((name) => name.includes('*'))) return [];
  const inOrder = (names: readonly string[]): string[] => [...names].sort(compareText);
  return inOrder(groups).flatMap((group) =>
    inOrder(versions).flatMap((version) =>
      inOrder(resources).map((resource) => ({ group, version, resource })),
    ),
  );
}

// The core group stands for any group, and custom resources are known by their singular names too.
function kindsFor(
  schemas: Schemas,
  group: string,
  version: string,
  resource: string,
): GroupVersionKind[] {
  const name = resource.toLowerCase();
  return listResources(schemas).filter((each) => {
    if (each.version !== version || (group !== '' && each.group !== group)) return false;
    if (each.resource === name) return true;
    return each.singular === name && findDefinition(schemas, each) !== undefined;
  });
}

function compareKinds(a: GroupVersionKind, b: GroupVersionKind): number {
  return (
    compareText(a.group, b.group) ||
    compareText(a.version, b.version) ||
    compareText(a.kind, b.kind)
  );
}
