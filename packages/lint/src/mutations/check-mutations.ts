import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  groupVersionKindOf,
  sameKind,
} from '@kubeadmit/apimachinery';
import { requirePolicy } from '@kubeadmit/apimachinery/unstable-internal';
import { closest, didYouMean, groupBy } from '@kubeadmit/base';
import type { CheckedExpression } from '@kubeadmit/cel/unstable-internal';
import type { MutatingPolicy, MutatingSpec, ParamKind } from '@kubeadmit/engine';
import { checkMutatingExpressions } from '@kubeadmit/engine/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { mergeType, objectType } from '@kubeadmit/schemas/merge';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { checkConfiguration } from './check-configuration.ts';
import { checkOperations } from './check-operations.ts';
import type { MutationFinding } from './finding.ts';
import type { Known } from './known.ts';
import { KnownValues, type Scope, type UnknownRead } from './known-values.ts';
import { lostChanges } from './lost-changes.ts';
import { type MatchedKind, matchedKinds } from './matched-kinds.ts';

/** A mistake in a MutatingAdmissionPolicy that kube-apiserver does not see before it runs. */
export interface MutationProblem extends MutationFinding {
  /** The path of the expression or field: `spec.mutations[0].applyConfiguration.expression`. */
  readonly fieldRef: string;
  /** The kinds for whose objects it holds. */
  readonly kinds: readonly GroupVersionKind[];
  /**
   * An error occurs for every request that the mutation runs on; a warning for some of them, or it is
   * not a rejection.
   */
  readonly severity: 'error' | 'warning';
}

/**
 * Checks the mutations of a policy against the schemas of the kinds that it matches, which the server never does:
 * reports mutations that fail when the policy runs, or have no effect.
 *
 * Each finding comes from applying a part of the mutation as the server would; problems that depend on unknown
 * values are not reported.
 *
 * @throws TypeError if `policy` is not a MutatingAdmissionPolicy (its spec alone is not enough), or `schemas` is
 * missing.
 */
export function checkMutations(policy: MutatingPolicy, schemas: Schemas): MutationProblem[] {
  requirePolicy('checkMutations', policy, 'MutatingAdmissionPolicy');
  requireSchemas('checkMutations', schemas);
  const spec = policy.spec ?? {};
  return new MutationCheck(spec, schemas, matchedKinds(spec.matchConstraints ?? {}, schemas)).run();
}

interface Found extends MutationFinding {
  readonly fieldRef: string;
  readonly kind: MatchedKind;
}

class MutationCheck {
  readonly #spec: MutatingSpec;
  readonly #schemas: Schemas;
  /** Every kind of requests that are matched, and one of each kind of objects. */
  readonly #rows: readonly MatchedKind[];
  readonly #matched: readonly MatchedKind[];
  readonly #found: Found[] = [];

  constructor(spec: MutatingSpec, schemas: Schemas, rows: readonly MatchedKind[]) {
    this.#spec = spec;
    this.#schemas = schemas;
    this.#rows = rows;
    this.#matched = rows.filter(
      ({ requestKind }, i) =>
        rows.findIndex((each) => sameKind(each.requestKind, requestKind)) === i,
    );
  }

  run(): MutationProblem[] {
    const checked = checkMutatingExpressions(this.#spec);
    const seen = this.#matched.filter(({ kind, requestKind }) => this.#isSeen(kind, requestKind));
    for (const matched of seen) this.#checkKind(matched, checked);
    const groups = groupBy(this.#found, ({ fieldRef, position, code, message }) =>
      JSON.stringify([fieldRef, position, code, message]),
    );
    const problems = [...groups.values()].flatMap((group) => this.#problem(group, seen) ?? []);
    return [...this.#conversions(), ...problems];
  }

  // A policy never gets to see built-in kinds in another version than that of the request.
  #isSeen(kind: GroupVersionKind, requestKind: GroupVersionKind): boolean {
    return sameKind(kind, requestKind) || findDefinition(this.#schemas, kind) !== undefined;
  }

  #conversions(): MutationProblem[] {
    return this.#matched.flatMap(({ kind, requestKind, resource }) => {
      if (this.#isSeen(kind, requestKind)) return [];
      const from = `${kind.version}.${kind.kind}`;
      const to = `${requestKind.version}.${requestKind.kind}`;
      const name = `${formatGroupVersion(resource)} ${resource.resource}`;
      const message = `requests for ${name} match as ${formatGroupVersion(kind)}, and every one fails: converting (${from}) to (${to}): unknown conversion`;
      return [
        {
          code: 'mutation-refused' as const,
          severity: 'warning' as const,
          position: 0,
          message,
          isSure: true,
          fieldRef: 'spec.matchConstraints',
          kinds: [requestKind],
        },
      ];
    });
  }

  #checkKind(matched: MatchedKind, checked: ReturnType<typeof checkMutatingExpressions>): void {
    const { kind, requestKind } = matched;
    const scope = new Map(this.#rootScope(kind));
    const variables: { name: string; value: Known }[] = [];
    const look = (tree: CheckedExpression | undefined, fieldRef: string): Known | undefined => {
      if (tree === undefined) return undefined;
      const fields = variables.map((each) => ({ ...each, position: 0, isOptional: false }));
      scope.set('variables', { kind: 'struct', name: '', fields, position: 0 });
      const values = new KnownValues(tree);
      const known = values.root(scope);
      for (const read of values.reads) {
        this.#found.push({ ...unknownField(read), fieldRef, kind: matched });
      }
      return known;
    };
    for (const [i, { name, checked: tree }] of checked.variables.entries()) {
      const value = look(tree, `spec.variables[${i}].expression`);
      if (value !== undefined) variables.push({ name, value });
    }
    for (const [i, tree] of checked.matchConditions.entries()) {
      look(tree, `spec.matchConditions[${i}].expression`);
    }
    const rows = this.#rows.filter((row) => sameKind(row.requestKind, requestKind));
    const lost = lostChanges(this.#schemas, rows);
    for (const [i, tree] of checked.mutations.entries()) {
      const isPatch = this.#spec.mutations?.[i]?.patchType === 'JSONPatch';
      const member = isPatch ? 'jsonPatch' : 'applyConfiguration';
      const fieldRef = `spec.mutations[${i}].${member}.expression`;
      const known = look(tree, fieldRef);
      if (known === undefined) continue;
      const context = { schemas: this.#schemas, kind, apiVersion: formatGroupVersion(kind), lost };
      const findings = isPatch
        ? checkOperations(known, {
            ...context,
            type: objectType(this.#schemas, kind),
            isAskedFor: (name) => this.#asksFor(name),
          })
        : checkConfiguration(known, { ...context, type: mergeType(this.#schemas, kind) });
      this.#found.push(...findings.map((each) => ({ ...each, fieldRef, kind: matched })));
    }
  }

  #asksFor(name: string): boolean {
    const { matchConditions, matchConstraints } = this.#spec;
    const isInCondition = (matchConditions ?? []).some(({ expression }) =>
      expression?.includes(name),
    );
    const { matchLabels, matchExpressions } = matchConstraints?.objectSelector ?? {};
    const selects = Object.keys(matchLabels ?? {}).length + (matchExpressions ?? []).length > 0;
    return isInCondition || (name === 'labels' && selects);
  }

  #rootScope(kind: GroupVersionKind): Scope {
    const scope = new Map<string, Known>();
    const add = (name: string, of: GroupVersionKind): void => {
      const type = objectType(this.#schemas, of);
      if (type !== undefined) scope.set(name, { kind: 'data', type, path: name, position: 0 });
    };
    add('object', kind);
    add('oldObject', kind);
    const { paramKind } = this.#spec;
    if (paramKind != null) add('params', kindOfParams(paramKind));
    return scope;
  }

  #problem(group: readonly Found[], seen: readonly MatchedKind[]): MutationProblem | undefined {
    const [first] = group;
    if (first === undefined) return undefined;
    const { code, position, message, fieldRef } = first;
    const kinds = group.map(({ kind }) => kind.kind);
    const isSure = group.every((each) => each.isSure);
    const isForAll = new Set(kinds.map(formatGroupVersionKind)).size === seen.length;
    const hasConditions = (this.#spec.matchConditions ?? []).length > 0;
    // A condition may exclude the kinds for which it fails.
    if (!isForAll && (hasConditions || !isSure || code === 'unknown-field')) return undefined;
    const isCertain = isSure && (isForAll || group.every(({ kind }) => kind.isNamed));
    const severity = code === 'mutation-refused' && isCertain ? 'error' : 'warning';
    return { code, position, message, fieldRef, kinds, isSure, severity };
  }
}

function kindOfParams({ apiVersion = '', kind = '' }: ParamKind): GroupVersionKind {
  return groupVersionKindOf(apiVersion, kind);
}

function unknownField({ position, path, type, field, isTest }: UnknownRead): MutationFinding {
  const hint = didYouMean(closest(field, type.map?.names?.() ?? []));
  const what = isTest ? 'so it never exists' : 'so reading it fails';
  const message = `\`${path}\` is not declared in the schema, ${what}${hint}`;
  return { code: 'unknown-field', position, message, isSure: false };
}
