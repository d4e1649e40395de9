import {
  formatFieldError,
  type JsonObject,
  type LabelSelector,
  member,
  memberObject,
  memberObjects,
  memberText,
} from '@kubeadmit/apimachinery';
import { formatAggregate, validateLabelSelector } from '@kubeadmit/apimachinery/field-errors';
import { dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { describeValue, hasMembers, requireArgument } from '@kubeadmit/base';
import { newestMinor } from '@kubeadmit/engine';
import { PolicyCompilers } from '@kubeadmit/engine/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { compileTemplate } from './compile-template.ts';
import { constraintFindings } from './constraint-schema.ts';
import { type ReviewedConstraint, type ReviewedRequest, reviewRequest } from './review.ts';
import { isConstraint, type Template } from './template.ts';

/** Why a constraint cannot be used. */
export interface ConstraintProblem {
  /** Why it has no effect. */
  readonly problem: string;
  /** Whether it does not fit the schema that its template declares. */
  readonly isSchemaProblem: boolean;
}

const gatorPoint = 'gator.gatekeeper.sh';

/** A compiled constraint of a template. */
export class LoadedConstraint {
  readonly #reviewed: ReviewedConstraint;
  readonly #acts: boolean;

  private constructor(reviewed: ReviewedConstraint) {
    this.#reviewed = reviewed;
    this.#acts = actsInTests(memberObject(reviewed.constraint, 'spec'));
  }

  /** Holds a constraint against its template, and compiles that. */
  static load(
    constraint: JsonObject,
    template: Template,
    schemas: Schemas,
  ): LoadedConstraint | ConstraintProblem {
    requireArgument('LoadedConstraint.load', constraint, { what: 'a constraint' });
    if (!hasMembers(template) || template.source === undefined) {
      const found = describeValue(template);
      throw new TypeError(
        `LoadedConstraint.load: expected the result of \`readTemplate\`, got ${found}`,
      );
    }
    requireSchemas('LoadedConstraint.load', schemas);
    const problem = problemOf(constraint, template, schemas);
    if (problem !== undefined) return problem;
    const compiled = compileTemplate(template.source, new PolicyCompilers(newestMinor));
    return new LoadedConstraint({ constraint, operations: template.operations, compiled });
  }

  /**
   * The messages of its violations; none where it is not about the request, or does not act where tests are run
   * (`scopedEnforcementActions` without `gator.gatekeeper.sh`). Whether a violation denies or warns makes no
   * difference.
   */
  violations(request: ReviewedRequest): readonly string[] {
    requireArgument('violations', request, { what: '`request` and more', has: 'request' });
    return this.#acts ? reviewRequest(this.#reviewed, request) : [];
  }
}

function problemOf(
  constraint: JsonObject,
  template: Template,
  schemas: Schemas,
): ConstraintProblem | undefined {
  const other = (problem: string): ConstraintProblem => ({ problem, isSchemaProblem: false });
  const name = memberText(memberObject(constraint, 'metadata'), 'name');
  const kind = memberText(constraint, 'kind');
  if (!isConstraint(constraint)) return other(`${kind} ${name} is not a Gatekeeper constraint`);
  const [badName] = dns1123SubdomainProblems(name);
  if (badName !== undefined) return other(`the name of the constraint is invalid: ${badName}`);
  if (kind !== template.kind) {
    return other(`the constraint ${name} is a ${kind}, and the template is of ${template.kind}`);
  }
  const { definition, schema, unknown } = constraintFindings(constraint, template, schemas);
  if (definition.length > 0) return other(`the schema of ${kind}: ${definition.join('; ')}`);
  if (schema.length > 0) return { problem: schema.join('; '), isSchemaProblem: true };
  if (unknown.length > 0) {
    return other(`the constraint ${name} has unknown fields: ${unknown.join(', ')}`);
  }
  const spec = memberObject(constraint, 'spec');
  for (const field of ['labelSelector', 'namespaceSelector']) {
    const selector = member(memberObject(spec, 'match'), field);
    if (selector == null) continue;
    const errors = validateLabelSelector(selector as LabelSelector, `spec.match.${field}`);
    if (errors.length > 0) return other(formatAggregate(errors.map(formatFieldError)));
  }
  if (spec['enforcementAction'] === 'scoped' && member(spec, 'scopedEnforcementActions') == null) {
    return other('missing required field: spec.scopedEnforcementActions must be defined');
  }
  return undefined;
}

function actsInTests(spec: JsonObject): boolean {
  if (spec['enforcementAction'] !== 'scoped') return true;
  return memberObjects(spec, 'scopedEnforcementActions').some((action) =>
    memberObjects(action, 'enforcementPoints').some((point) =>
      ['*', gatorPoint].includes(memberText(point, 'name')),
    ),
  );
}
