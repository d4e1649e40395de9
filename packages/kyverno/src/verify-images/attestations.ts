import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { byteLength, formatJson, formatValue } from '@kubeadmit/go';
import { compileConditions } from '../conditions/compile.ts';
import { evaluateConditions, joinMessages } from '../conditions/evaluate.ts';
import type { ImageVerifier, VerifiedAttestations } from '../context/image-verifier.ts';
import type { JsonContext } from '../context/json-context.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { substitute } from '../variables/substitute.ts';
import { type ObjectImage, withDigest } from './images.ts';
import { Problem } from './problem.ts';
import { type Attestation, type AttestorSet, type ImageItem, requiredCount } from './rule.ts';
import { attestorCheck } from './signature-check.ts';

/** The surroundings of verifying attestations. */
export interface AttestationTask {
  readonly verifier: ImageVerifier;
  readonly context: JsonContext;
  readonly item: ImageItem;
}

/** An attestation without attestors is fetched, and not verified. */
const unverified: readonly AttestorSet[] = [{ count: 0, entries: [{}] }];

/** Verifies all attestations of an item, and returns the image with its digest (Kyverno's `verifyAttestations`). */
export function verifyAttestations(
  task: AttestationTask,
  given: ObjectImage,
): ObjectImage | Problem {
  let image = given;
  for (const [at, attestation] of task.item.attestations.entries()) {
    const path = `.attestations[${at}]`;
    if (attestation.type === '') return new Problem(`${path}: missing type`);
    const problems: Problem[] = [];
    const sets = attestation.attestors.length > 0 ? attestation.attestors : unverified;
    for (const [index, set] of sets.entries()) {
      // The index of the attestation is in the place of that of the entry, as in Kyverno.
      const entryPath = `${path}.attestors[${index}].entries[${at}]`;
      const verified = verifySet(task, attestation, set, { image, entryPath, problems });
      if (verified instanceof Problem) return verified;
      image = verified;
    }
  }
  return image;
}

interface SetState {
  readonly image: ObjectImage;
  readonly entryPath: string;
  /** The problems of the attestation so far. */
  readonly problems: Problem[];
}

function verifySet(
  task: AttestationTask,
  attestation: Attestation,
  set: AttestorSet,
  { image: given, entryPath, problems }: SetState,
): ObjectImage | Problem {
  let image = given;
  let verifiedCount = 0;
  const required = requiredCount(set);
  for (const entry of set.entries) {
    const { check, step } = attestorCheck(entry, task.item, image.name, attestation.type);
    const fetched = fetchInto(task, attestation, check);
    if (fetched instanceof Problem) {
      problems.push(fetched);
      continue;
    }
    if (image.digest === '' && fetched.digest !== '') image = withDigest(image, fetched.digest);
    const problem = checkStatements(task, attestation, fetched, image.name);
    if (problem !== undefined) {
      problems.push(problem.at(entryPath + step));
      continue;
    }
    verifiedCount++;
    if (verifiedCount >= required) return image;
  }
  if (verifiedCount >= required) return image;
  const { message, isUnavailable } = Problem.joined(problems);
  const reason = message === '' ? 'attestations verification failed' : message;
  const counts = `verifiedCount: ${verifiedCount}, requiredCount: ${required}`;
  return new Problem(
    `image attestations verification failed, ${counts}, error: ${reason}`,
    isUnavailable,
  );
}

/** Fetches attestations; the predicate of the first becomes an entry of the context. */
function fetchInto(
  { verifier, context }: AttestationTask,
  { name }: Attestation,
  check: ReturnType<typeof attestorCheck>['check'],
): VerifiedAttestations | Problem {
  const fetched = verifier.fetchAttestations(check);
  if ('error' in fetched) return Problem.from(fetched);
  const predicate = fetched.statements.map((statement) => statement['predicate']).find(isObject);
  if (predicate === undefined) return new Problem('predicate not found in any statement');
  const tooLarge = context.countSize(byteLength(formatJson(predicate)));
  if (tooLarge !== undefined) return new Problem(tooLarge.message);
  context.add([name], predicate);
  return fetched;
}

function checkStatements(
  { context }: AttestationTask,
  { type, conditions }: Attestation,
  { statements }: VerifiedAttestations,
  image: string,
): Problem | undefined {
  const ofType = statements.filter((statement) => statement['type'] === type);
  if (ofType.length === 0) return new Problem(`attestions not found for predicate type ${type}`);
  for (const statement of ofType) {
    const outcome = checkConditions(context, conditions, statement);
    if (outcome instanceof Failure) {
      return new Problem(`failed to check attestations: ${outcome.message}`);
    }
    if (outcome === undefined) continue;
    return new Problem(`attestation checks failed for ${image} and predicate ${type}: ${outcome}`);
  }
  return undefined;
}

/** Evaluates the conditions of an attestation over a statement: the messages of those that do not hold. */
function checkConditions(
  context: JsonContext,
  conditions: readonly JsonObject[],
  statement: Readonly<Record<string, unknown>>,
): string | undefined | Failure {
  if (conditions.length === 0) return undefined;
  const { predicate } = statement;
  if (!isObject(predicate)) {
    return new Failure(`failed to extract predicate from statement: ${formatValue(statement)}`);
  }
  context.checkpoint();
  try {
    for (const [key, value] of Object.entries(predicate)) context.add([key], value);
    const substituted = substitute(context, conditions);
    if (substituted instanceof Failure) {
      const reason = substituted.message;
      return new Failure(`failed to substitute variables in attestation conditions: ${reason}`);
    }
    return unmetMessage(context, substituted as readonly unknown[]);
  } finally {
    context.restore();
  }
}

function unmetMessage(
  context: JsonContext,
  blocks: readonly unknown[],
): string | undefined | Failure {
  for (const block of blocks) {
    const outcome = evaluateConditions(context, compileConditions(block), 'attestation');
    if (outcome instanceof Failure) return outcome;
    if (!outcome.result) return joinMessages([outcome.message], '; ');
  }
  return undefined;
}
