import type { JsonObject, Labels } from '@kubeadmit/apimachinery';
import type { Conditions } from '../conditions/compile.ts';
import { evaluateConditions } from '../conditions/evaluate.ts';
import { loadEntries } from '../context/entries.ts';
import { imagesOf } from '../context/images.ts';
import { JsonContext } from '../context/json-context.ts';
import { withDoubles } from '../context/numbers.ts';
import type { ContextSources } from '../context/sources.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { exceptionMatches, type Filters } from '../match/match.ts';
import { MatchSubject, unknownUser } from '../match/subject.ts';
import type { RuleStatus } from '../trace/rule-result.ts';
import type { CleanupPolicy } from './policy.ts';

/** The surroundings of an object that a schedule may delete. */
export interface CleanupSetting {
  /** The labels of the object's namespace. */
  readonly namespaceLabels: Labels;
  readonly sources: ContextSources;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

/** Whether a policy would delete an object: `pass` if it would, `fail` if it would not. */
export interface CleanupResult {
  readonly status: RuleStatus;
  /** The text of the Kyverno CLI. */
  readonly message: string;
  /** Whether `match` and `exclude` select the object. */
  readonly isSelected: boolean;
}

/**
 * Decides whether a cleanup policy would delete an object, in the order of the Kyverno CLI's `apply`: the namespace,
 * `match`, `exclude`, then the conditions over `target`.
 */
export function cleansObject(
  policy: CleanupPolicy,
  object: JsonObject,
  setting: CleanupSetting,
): CleanupResult {
  const context = contextOf(object, setting);
  const problem = loadEntries(context, policy.context, setting.sources, '');
  if (problem !== undefined) return failed(problem);
  if (!selects(policy, object, setting)) return { ...spared, isSelected: false };
  if (policy.conditions === undefined) return deleted;
  const images = imagesOf(object);
  if (images instanceof Failure) return failed(images);
  const holds = conditionsHold(context, policy.conditions);
  if (holds instanceof Failure) return failed(holds);
  return holds ? deleted : { ...spared, isSelected: true };
}

/** Evaluates `all` before `any`; without conditions in `any`, those in `all` decide (`CheckAnyAllConditions`). */
function conditionsHold(context: JsonContext, conditions: Conditions | Failure): boolean | Failure {
  if (conditions instanceof Failure) return conditions;
  const { any = [], all = [] } = 'old' in conditions ? { all: conditions.old } : conditions;
  const ofAll = evaluateConditions(context, { all });
  if (ofAll instanceof Failure) return ofAll;
  if (!ofAll.result || any.length === 0) return ofAll.result;
  const ofAny = evaluateConditions(context, { any });
  return ofAny instanceof Failure ? ofAny : ofAny.result;
}

const deleted: CleanupResult = { status: 'pass', message: 'resource matched', isSelected: true };
const spared = { status: 'fail', message: 'resource did not match' } as const;

function failed({ message }: Failure): CleanupResult {
  return { status: 'error', message, isSelected: true };
}

function contextOf(object: JsonObject, { now }: CleanupSetting): JsonContext {
  const target = withDoubles(object) as JsonObject;
  const { namespace } = new MatchSubject(object, facts({}));
  return new JsonContext(() => ({ target, request: { namespace } }), {
    now,
    images: () => imagesOf(object),
  });
}

function selects(
  { namespace, match, exclude }: CleanupPolicy,
  object: JsonObject,
  { namespaceLabels }: CleanupSetting,
): boolean {
  const subject = new MatchSubject(object, facts(namespaceLabels));
  if (namespace !== '' && subject.namespace !== namespace) return false;
  if (!filtersMatch(match, subject)) return false;
  return exclude === undefined || !filtersMatch(exclude, subject);
}

/** A schedule has no operation and no user. */
function facts(namespaceLabels: Labels): ConstructorParameters<typeof MatchSubject>[1] {
  return { subresource: '', operation: '', namespaceLabels, user: unknownUser };
}

/** Filters without `any` and `all` select everything (Kyverno's `CheckMatchesResources`). */
function filtersMatch(filters: Filters, subject: MatchSubject): boolean {
  return 'legacy' in filters || exceptionMatches(filters, subject);
}
