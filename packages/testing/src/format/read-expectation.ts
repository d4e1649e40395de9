import { defined } from '@kubeadmit/base';
import { compileRegex } from '@kubeadmit/go';
import { isRecord, type Path } from '@kubeadmit/manifest';
import type { ShapeProblem } from './check-shape.ts';
import type { Expectation, ExpectedText, ExpectedVerdict } from './expectation.ts';
import { referenceOf } from './source-reference.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the expectation of a case, which has the right shape; contradictions are reported. */
export function readExpectation(
  value: unknown,
  path: Path,
  complain: (problem: ShapeProblem) => void,
): Expectation {
  if (typeof value === 'string') return { path, verdicts: [value as ExpectedVerdict] };
  const fields = (isRecord(value) ? value : {}) as Fields;
  const given = fields['verdict'] as ExpectedVerdict | readonly ExpectedVerdict[] | undefined;
  const verdicts = [given ?? defaultVerdicts(fields)].flat() as unknown as Expectation['verdicts'];
  const text = (given: unknown, at: Path): ExpectedText => readText(given, at, complain);
  const {
    verdict: _,
    message,
    validations,
    warnings,
    auditAnnotations,
    wholeObject,
    ...rest
  } = fields;
  // With several verdicts, a contradiction of one may fit another.
  const [verdict] = verdicts;
  if (verdicts.length === 1) [...contradictions(fields, verdict, path)].forEach(complain);
  return {
    ...rest,
    path,
    verdicts,
    ...(message === undefined ? {} : { message: text(message, [...path, 'message']) }),
    ...(validations === undefined ? {} : { validations: [validations].flat() as number[] }),
    ...(Array.isArray(warnings)
      ? { warnings: warnings.map((each, at) => text(each, [...path, 'warnings', at])) }
      : {}),
    ...(isRecord(auditAnnotations)
      ? { auditAnnotations: readAnnotations(auditAnnotations, path, text, complain) }
      : {}),
    ...(wholeObject === undefined
      ? {}
      : { wholeObject: referenceOf(wholeObject, [...path, 'wholeObject']) }),
  };
}

function defaultVerdicts(fields: Fields): ExpectedVerdict | readonly ExpectedVerdict[] {
  const has = (name: string): boolean => Object.hasOwn(fields, name);
  if (['message', 'reason', 'code', 'validations'].some(has)) return 'denied';
  const { patch, warnings, snapshot } = fields;
  if (Array.isArray(patch) && patch.length > 0) return 'mutated';
  if (Array.isArray(warnings) && warnings.length > 0) return 'warned';
  const isTold = [...tellingAllowed, 'warnings', 'patch'].some(has);
  return snapshot === true && !isTold ? snapshotVerdicts : 'allowed';
}

const tellingAllowed = ['object', 'wholeObject', 'auditAnnotations', 'maxCost'];

/** Verdicts that a snapshot may record. No match and failures must be expected explicitly. */
const snapshotVerdicts: readonly ExpectedVerdict[] = [
  'allowed',
  'denied',
  'warned',
  'audited',
  'mutated',
  'invalid',
];

/** Reports fields that a verdict makes meaningless, so that they would never be compared. */
function* contradictions(
  fields: Fields,
  verdict: ExpectedVerdict,
  path: Path,
): Generator<ShapeProblem> {
  const has = (name: string): boolean => Object.hasOwn(fields, name);
  const never = (name: string, why: string): ShapeProblem => ({
    path: [...path, name],
    message: `\`${name}\` cannot be combined with the verdict ${verdict}: ${why}`,
  });
  const isAllowed = ['allowed', 'mutated', 'warned', 'audited'].includes(verdict);
  if (has('message') && (verdict === 'allowed' || verdict === 'mutated'))
    yield never('message', 'an allowed request has no message (see `warnings`)');
  for (const name of ['reason', 'code']) {
    if (has(name) && (isAllowed || verdict === 'not matched'))
      yield never(name, 'the request has no status');
  }
  for (const name of ['object', 'wholeObject']) {
    if (has(name) && ['denied', 'invalid'].includes(verdict))
      yield never(name, 'the request does not reach the cluster');
  }
  if (has('validations') && ['allowed', 'mutated', 'not matched', 'invalid'].includes(verdict))
    yield never('validations', 'none fails');
  if (has('object') && has('wholeObject')) {
    yield { path: [...path, 'object'], message: '`object` and `wholeObject` cannot be combined' };
  }
}

function readText(
  value: unknown,
  path: Path,
  complain: (problem: ShapeProblem) => void,
): ExpectedText {
  if (!isRecord(value)) return { equals: String(value) };
  const { contains, matches, equals } = value as Fields;
  if (typeof matches === 'string') {
    const compiled = compileRegex(matches);
    if ('error' in compiled) complain({ path: [...path, 'matches'], message: compiled.error });
  }
  return defined({
    equals: equals === undefined ? undefined : String(equals),
    contains: contains === undefined ? undefined : ([contains].flat() as string[]),
    matches: matches === undefined ? undefined : String(matches),
  });
}

function readAnnotations(
  given: Fields,
  path: Path,
  text: (value: unknown, path: Path) => ExpectedText,
  complain: (problem: ShapeProblem) => void,
): Readonly<Record<string, ExpectedText | null>> {
  const read = Object.entries(given).map(([key, value]) => {
    const at = [...path, 'auditAnnotations', key];
    const isText = typeof value === 'string' || isRecord(value) || value === null;
    if (!isText)
      complain({ path: at, message: `the audit annotation \`${key}\` must be a string` });
    return [key, value === null ? null : text(value, at)] as const;
  });
  return Object.fromEntries(read);
}
