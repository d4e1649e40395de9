import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { computeRules } from '@kubeadmit/kyverno/unstable-internal';
import type { ConvertOptions, Made } from './conversion.ts';
import { generating, verifying } from './convert-acting.ts';
import { convertMutateRule } from './mutate/rule.ts';
import { differenceNotes, distinctNotes } from './notes/difference-notes.ts';
import { actionOf, type Reservations, withLost } from './policy/action.ts';
import { convertCelRules } from './policy/cel-rule.ts';
import { leavesDeletions, partsOf } from './policy/deletions.ts';
import { exceptionsOf } from './policy/exceptions.ts';
import { failurePolicyOf } from './policy/failure-policy.ts';
import { boundedName, namesOf } from './policy/names.ts';
import { type Frame, paramRefOf, policyObjects, validatingSpec } from './policy/output.ts';
import { convertValidateRule } from './policy/rule.ts';
import {
  refuseAbsenceConditions,
  refuseNamesOfDeletions,
  rejectedDeletions,
} from './policy/webhook-conditions.ts';
import { refuseRefused, servedVersion } from './refuse-refused.ts';

/**
 * Converts a rule to policies whose names begin with a name.
 *
 * @throws Unsupported for parts that have no equivalent
 */
export function convertRule(
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
