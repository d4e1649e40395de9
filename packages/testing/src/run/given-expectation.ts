import { defined, hasMembers } from '@kubeadmit/base';
import { checkShape } from '../format/check-shape.ts';
import type { Expectation } from '../format/expectation.ts';
import { expectationSchema } from '../format/expectation-schema.ts';
import type { JsonSchema } from '../format/json-schema.ts';
import { readExpectation } from '../format/read-expectation.ts';

const schema: JsonSchema = { required: ['expect'], properties: { expect: expectationSchema } };

/**
 * Expectations that only a run of a suite can check, because they read files, record outcomes or observe
 * evaluations.
 */
const ofSuites = ['wholeObject', 'maxCost', 'snapshot'];

/**
 * Reads an expectation in the form of `expect` of a suite; members that are undefined count as absent.
 *
 * @throws Error for all else, which would be compared with nothing.
 */
export function givenExpectation(given: unknown): Expectation {
  const expect = hasMembers(given) ? defined(given) : given;
  const [problem] = checkShape({ expect }, schema);
  if (problem !== undefined) throw new Error(problem.message);
  const own = ofSuites.find((name) => hasMembers(expect) && Object.hasOwn(expect, name));
  if (own !== undefined) {
    throw new Error(`\`expect.${own}\` is only supported by \`kubeadmit test\``);
  }
  return readExpectation(expect, [], ({ message }) => {
    throw new Error(message);
  });
}
