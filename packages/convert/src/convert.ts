import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { type OptionKind, requireArgument, requireOptions } from '@kubeadmit/base';
import { isConstraint } from '@kubeadmit/gatekeeper';
import { computeRules, unservedVersion } from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import { convertCleanup } from './acting/cleanup.ts';
import { convertGeneration } from './acting/generation.ts';
import { convertImages } from './acting/images.ts';
import { refuseBroken } from './acting/refuse-broken.ts';
import { isCelKind, isCleanup, isConvertible } from './convertible.ts';
import { kindsNamed } from './match/filter.ts';
import { convertMutateRule } from './mutate/rule.ts';
import {
  type DifferenceNote,
  differenceNotes,
  differencesAmong,
  distinctNotes,
  type Note,
  noteText,
} from './notes/difference-notes.ts';
import { Unsupported } from './notes/unsupported.ts';
import { actionOf, type Reservations, withLost } from './policy/action.ts';
import { readCelKind } from './policy/cel-kinds.ts';
import { convertCelRules } from './policy/cel-rule.ts';
import { leavesDeletions, partsOf } from './policy/deletions.ts';
import { exceptionsOf } from './policy/exceptions.ts';
import { failurePolicyOf } from './policy/failure-policy.ts';
import { readConstraint } from './policy/gatekeeper.ts';
import { boundedName, namesOf, titleOf } from './policy/names.ts';
import {
  type Frame,
  generatingPolicy,
  paramRefOf,
  policyObjects,
  type Target,
  validatingSpec,
} from './policy/output.ts';
import { refusedRules } from './policy/refused-rules.ts';
import { convertValidateRule } from './policy/rule.ts';
import {
  refuseAbsenceConditions,
  refuseNamesOfDeletions,
  rejectedDeletions,
} from './policy/webhook-conditions.ts';
import { refuseRefused, servedVersion } from './refuse-refused.ts';

/** The outcome of one rule. */
export interface RuleConversion {
  /** The name of the policy: `NAMESPACE/NAME` where it has a namespace, `KIND/NAME` for a constraint. */
  readonly policy: string;
  /** The name of the rule; absent for a policy that has none. */
  readonly rule?: string;
  /** Whether the result says all that the rule says, a part of it, or nothing. */
  readonly status: 'converted' | 'partial' | 'none';
  /** The names of its results: `Kind/name`. */
  readonly results: readonly string[];
  /** The constructs without an equal, and alternatives to them. */
  readonly reason?: string;
  /** The known differences between the result and the rule; `reason` contains their sentences. */
  readonly differences?: readonly DifferenceNote[];
  /** Whether the result denies what the rule allows. */
  readonly stricter?: boolean;
  /** Whether the result allows what the rule denies. */
  readonly weaker?: boolean;
}

/** Policies and bindings, and the outcome of each rule. */
export interface Conversion {
  /** Policies, bindings and parameters, in the order in which they are to be created. */
  readonly objects: readonly JsonObject[];
  /** The outcome of each rule. */
  readonly rules: readonly RuleConversion[];
}

/** How policies are converted. */
export interface ConvertOptions {
  /** The kinds of the Kubernetes version, and of the definitions, that the result is for. */
  readonly schemas: Schemas;
  /** The kind of policies to write (default: admission policies). */
  readonly target?: Target;
  /**
   * Whether the result is written as an author would, where that means something slightly else: labels of
   * objects by an `objectSelector`, which looks at the object before an update too.
   */
  readonly isIdiomatic?: boolean;
  /** Objects that policies depend on: Kyverno exceptions, Gatekeeper templates. */
  readonly related?: readonly JsonObject[];
}

const convertOptions: Readonly<Record<keyof ConvertOptions, OptionKind>> = {
  schemas: 'any',
  target: ['admission', 'kyverno'],
  isIdiomatic: 'boolean',
  related: 'list',
};

/**
 * Converts a policy into ValidatingAdmissionPolicies and MutatingAdmissionPolicies with their bindings.
 *
 * With the target `kyverno`, the results are Kyverno policies written in CEL. ClusterPolicies and Policies are
 * converted rule by rule; CEL-based Kyverno policies and Gatekeeper constraints are converted as one unit.
 *
 * Never throws because of the contents of a rule: parts without an equivalent are omitted and reported in the
 * result.
 *
 * @throws TypeError if the policy is not convertible ({@link isConvertible}) or an option is unknown
 */
export function convertPolicy(policy: JsonObject, options: ConvertOptions): Conversion {
  requireOptions('convertPolicy', options, convertOptions);
  requireSchemas('convertPolicy', options.schemas);
  requireArgument('convertPolicy', policy, { what: 'a policy of Kyverno or a constraint' });
  if (!isConvertible(policy)) {
    const { apiVersion, kind } = policy;
    throw new TypeError(
      `convertPolicy: expected a policy of Kyverno or a constraint, got ${String(apiVersion)} ${String(kind)}`,
    );
  }
  const unserved = unservedReason(policy);
  if (unserved !== undefined) return nothingOf(namesOf(policy).title, unserved);
  if (isCleanup(policy)) return cleanup(policy, options);
  if (isCelKind(policy) || isConstraint(policy)) return convertWhole(policy, options);
  const spec = objectOf(policy['spec']);
  const given = listOf(spec['rules']);
  const rules = given.filter(isObject);
  const objects: JsonObject[] = [];
  const told: RuleConversion[] = [];
  const names = namesOf(policy);
  const refused = refusedRules(given);
  if (refused !== undefined) return nothingOf(names.title, refused);
  if (rules.length === 0) return nothingOf(names.title, 'the policy has no rule (`spec.rules`)');
  for (const rule of rules) {
    const about = { policy: names.title, rule: String(rule['name'] ?? '') };
    const name = rules.length === 1 ? names.name : boundedName(`${names.name}-${about.rule}`);
    try {
      const made = convertRule(rule, policy, name, options);
      objects.push(...made.objects);
      const notes = [...made.lost, ...(made.notes ?? [])];
      told.push({
        ...about,
        status: statusOf(made, notes),
        results: made.objects.map(titleOf),
        ...reportOf(notes),
        ...(made.weaker ? { weaker: true } : {}),
        ...(made.stricter ? { stricter: true } : {}),
      });
    } catch (problem) {
      told.push({ ...about, status: 'none', results: [], reason: reasonOf(problem) });
    }
  }
  const isOne = spec['applyRules'] === 'One';
  const meetsEarlier = (at: number): boolean =>
    rules.slice(0, at).some((earlier) => mayMeet(earlier, rules[at] ?? {}));
  return {
    objects,
    rules: told.map((rule, at) => (isOne && meetsEarlier(at) ? withOneRuleNote(rule) : rule)),
  };
}

// Kyverno applies rules that change objects and rules that validate them one after the other. Rules about different kinds
// never meet.
function mayMeet(earlier: JsonObject, rule: JsonObject): boolean {
  if (isObject(earlier['mutate']) !== isObject(rule['mutate'])) return false;
  const kinds = new Set(kindsNamed(earlier['match']));
  const others = kindsNamed(rule['match']);
  return kinds.has('*') || others.includes('*') || others.some((kind) => kinds.has(kind));
}

function withOneRuleNote(rule: RuleConversion): RuleConversion {
  if (rule.results.length === 0) return rule;
  const note =
    '`applyRules: One` stops after the first rule that applies, while all admission policies are evaluated; instead: exclude from each rule what an earlier one matches';
  const reason = rule.reason === undefined ? note : `${rule.reason}; ${note}`;
  return { ...rule, status: 'partial', reason };
}

// A result that decides some requests otherwise is a part of its rule, whatever the report says about it.
function statusOf(
  { lost, weaker, stricter }: Reservations,
  notes: readonly Note[],
): RuleConversion['status'] {
  const isOther = lost.length > 0 || weaker === true || stricter === true;
  return isOther || differencesAmong(notes).length > 0 ? 'partial' : 'converted';
}

function reportOf(notes: readonly Note[]): Pick<RuleConversion, 'reason' | 'differences'> {
  const differences = differencesAmong(notes);
  return {
    ...(notes.length > 0 ? { reason: notes.map(noteText).join('; ') } : {}),
    ...(differences.length > 0 ? { differences } : {}),
  };
}

function nothingOf(policy: string, reason: string): Conversion {
  return { objects: [], rules: [{ policy, status: 'none', results: [], reason }] };
}

// A policy of a version that Kyverno does not serve acts nowhere.
function unservedReason(policy: JsonObject): string | undefined {
  const problem = unservedVersion(policy);
  return problem && `${problem.message}: Kyverno serves ${problem.choices.join(', ')}`;
}

function reasonOf(problem: unknown): string {
  if (!(problem instanceof Unsupported)) throw problem;
  const { message, advice } = problem;
  return advice === undefined ? message : `${message}; instead: ${advice}`;
}

// A schedule, of which only Kyverno has a form in CEL.
function cleanup(policy: JsonObject, { schemas, target }: ConvertOptions): Conversion {
  const { title } = namesOf(policy);
  const about = { policy: title };
  try {
    if (target !== 'kyverno') {
      throw new Unsupported(
        'admission policies cannot delete objects on a schedule',
        'convert to a DeletingPolicy of Kyverno (`--to kyverno`)',
      );
    }
    const { object, notes } = convertCleanup(policy, schemas);
    refuseBroken(object);
    const status = statusOf({ lost: [] }, notes);
    return {
      objects: [object],
      rules: [{ ...about, status, results: [titleOf(object)], ...reportOf(notes) }],
    };
  } catch (problem) {
    return nothingOf(title, reasonOf(problem));
  }
}

// A policy that has no rules, but is one.
function convertWhole(policy: JsonObject, options: ConvertOptions): Conversion {
  const { title: policyTitle, name, namespace } = namesOf(policy);
  const isOfCel = isCelKind(policy);
  const title = isOfCel ? policyTitle : `${String(policy['kind'])}/${policyTitle}`;
  const about = { policy: title };
  try {
    const { schemas, related = [] } = options;
    const own = isOfCel ? readCelKind(policy, schemas) : undefined;
    const constraint = own === undefined ? readConstraint(policy, related, schemas) : undefined;
    const type = own?.type ?? 'Validating';
    const spec = objectOf(policy['spec']);
    const validationActions = own?.validationActions ?? constraint?.validationActions ?? ['Deny'];
    const frame: Frame = {
      target: 'admission',
      type,
      version: servedVersion(`${type}AdmissionPolicy`, schemas),
      name: own === undefined ? boundedName(`${String(policy['kind'])}-${name}`) : name,
      policy,
      failurePolicy:
        constraint?.failurePolicy ?? (spec['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail'),
      namespace,
      ...(type === 'Validating' ? { validationActions } : {}),
    };
    const specs = own?.specs ?? [{ suffix: '', spec: constraint?.spec ?? {} }];
    const write = (given: Frame): readonly JsonObject[] =>
      specs.flatMap((one) =>
        policyObjects({ ...given, name: boundedName(given.name + one.suffix) }, one.spec),
      );
    refuseRefused(write(frame), schemas);
    const { target = 'admission' } = options;
    const objects = write({ ...frame, target });
    const lost = own?.lost ?? [];
    const notes = [...lost, ...(own?.notes ?? [])];
    const rule = {
      ...about,
      status: statusOf({ lost, weaker: own?.isWeaker === true }, notes),
      results: objects.map(titleOf),
      ...reportOf(notes),
      ...(own?.isWeaker === true ? { weaker: true } : {}),
    };
    return { objects, rules: [rule] };
  } catch (problem) {
    return {
      objects: [],
      rules: [{ ...about, status: 'none', results: [], reason: reasonOf(problem) }],
    };
  }
}

interface Made extends Reservations {
  readonly objects: readonly JsonObject[];
}

function convertRule(
  rule: JsonObject,
  policy: JsonObject,
  name: string,
  given: ConvertOptions,
): Made {
  refuseAbsenceConditions(policy);
  const exceptions = exceptionsOf(rule, policy, given.related ?? []);
  const options = { ...given, exceptions };
  if (isObject(rule['generate'])) return generating(rule, { policy, name }, options);
  if (Array.isArray(rule['verifyImages'])) return verifying(rule, { policy, name }, options);
  const type = isObject(rule['mutate']) ? 'Mutating' : 'Validating';
  const frame: Frame = {
    target: 'admission',
    type,
    version: servedVersion(`${type}AdmissionPolicy`, options.schemas),
    name,
    policy,
    failurePolicy: failurePolicyOf(policy),
    namespace: namesOf(policy).namespace,
  };
  const made =
    type === 'Mutating' ? mutating(rule, frame, options) : validating(rule, frame, options);
  refuseRefused(made.write(frame), options.schemas);
  const { target = 'admission' } = options;
  return { ...made, objects: made.write({ ...frame, target }) };
}

function generating(
  rule: JsonObject,
  frame: Pick<Frame, 'name' | 'policy'>,
  { schemas, target, exceptions }: ConvertOptions & { readonly exceptions: readonly unknown[] },
): Made {
  if (target !== 'kyverno') {
    throw new Unsupported(
      '`generate`: admission policies cannot create resources',
      'convert to a GeneratingPolicy of Kyverno (`--to kyverno`)',
    );
  }
  const { spec, lost, notes } = convertGeneration(rule, frame.policy, { schemas, exceptions });
  const object = generatingPolicy(frame, spec);
  refuseBroken(object);
  return { objects: [object], lost, notes };
}

function verifying(
  rule: JsonObject,
  { policy, name }: Pick<Frame, 'name' | 'policy'>,
  { schemas, target, exceptions }: ConvertOptions & { readonly exceptions: readonly unknown[] },
): Made {
  if (target !== 'kyverno') {
    throw new Unsupported(
      '`verifyImages`: admission policies cannot verify images',
      'convert to an ImageValidatingPolicy of Kyverno (`--to kyverno`)',
    );
  }
  const { specs, lost, notes } = convertImages(rule, policy, { schemas, exceptions });
  const { namespace } = namesOf(policy);
  const spec = objectOf(policy['spec']);
  const objects = specs.flatMap((own, at) => {
    const item = objectOf(listOf(rule['verifyImages'])[at]);
    const { validationActions } = actionOf(item, spec, { namespace, hasBindings: false });
    const frame = {
      target: 'kyverno',
      type: 'ImageValidating',
      version: 'v1',
      name: at === 0 ? name : boundedName(`${name}-${at + 1}`),
      policy,
      failurePolicy: failurePolicyOf(policy),
      validationActions,
      namespace,
    } as const;
    return policyObjects(frame, own);
  });
  for (const object of objects) refuseBroken(object);
  return { objects, lost, notes };
}

interface Written extends Reservations {
  readonly write: (frame: Frame) => readonly JsonObject[];
}

function validating(rule: JsonObject, frame: Frame, options: ConvertOptions): Written {
  const validate = objectOf(rule['validate']);
  const { validationActions, overrides, ...action } = actionOf(
    validate,
    frame.policy['spec'] as JsonObject,
    { namespace: frame.namespace, hasBindings: options.target !== 'kyverno' },
  );
  const isIdiomatic = options.isIdiomatic === true;
  const isShort = isIdiomatic && leavesDeletions(rule);
  const parts = partsOf(rule, isIdiomatic);
  const short = isShort ? { notes: [differenceNotes.deletions], weaker: true } : {};
  refuseNamesOfDeletions(frame.policy, parts);
  const rejected = rejectedDeletions(frame.policy, rule, parts);
  if (validate['cel'] !== undefined) {
    const all = generatedOf(rule, frame).map((each) => convertCelRules(each, parts, options));
    return {
      ...withLost(action, distinctNotes(all.flat().flatMap(({ lost }) => lost))),
      ...short,
      write: (own) =>
        all.flatMap((made, at) =>
          made.flatMap(({ spec, paramRef }, part) => {
            const name = boundedName(own.name + (suffixes[at] ?? '') + (endings[part] ?? ''));
            return policyObjects({ ...own, name, validationActions, overrides }, spec, paramRef);
          }),
        ),
    };
  }
  const all = parts.map((part) => convertValidateRule(rule, frame.policy, { ...options, part }));
  const known = withLost(action, distinctNotes(all.flatMap(({ lost }) => lost)));
  const problems = all.flatMap(({ message: { problem } }) => problem ?? []);
  return {
    ...known,
    lost: [...known.lost, ...new Set(problems), ...(rejected === undefined ? [] : [rejected])],
    notes: [...distinctNotes(all.flatMap(({ notes }) => notes)), ...(short.notes ?? [])],
    ...(isShort || rejected !== undefined ? { weaker: true } : {}),
    write: (own) =>
      all.flatMap((made, at) => {
        const name = boundedName(own.name + (endings[at] ?? ''));
        const paramRef = paramRefOf(made.parameter);
        return policyObjects(
          { ...own, name, validationActions, overrides },
          validatingSpec(made),
          paramRef,
        );
      }),
  };
}

// Mutations name the types of the fields they change. Each rule that Kyverno generates for pod controllers
// therefore becomes a separate policy.
function mutating(rule: JsonObject, given: Frame, options: ConvertOptions): Written {
  const made = generatedOf(rule, given).map((each) => convertMutateRule(each, options));
  return {
    lost: [],
    notes: distinctNotes(made.flatMap(({ notes }) => notes)),
    write: (frame) =>
      made.flatMap(({ spec, parameter }, at) => {
        const name = boundedName(frame.name + (suffixes[at] ?? ''));
        return policyObjects({ ...frame, name }, spec, paramRefOf(parameter));
      }),
  };
}

// A rule, and those that Kyverno makes of it for controllers of pods.
function generatedOf(rule: JsonObject, { policy }: Frame): readonly JsonObject[] {
  const spec = policy['spec'] as JsonObject;
  return computeRules({ ...policy, spec: { ...spec, rules: [rule] } }, '');
}

const suffixes = ['', '-controllers', '-cronjobs'];
const endings = ['', '-deletions'];
