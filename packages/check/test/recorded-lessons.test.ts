import type { Status } from '@kubeadmit/apimachinery';
import { passRequest } from '@kubeadmit/chain';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { loadCheck, type PreparedCheck } from '../src/index.ts';
import { type Lesson, prepareLesson, readLessons } from './lesson.ts';

// The answers of kube-apiserver to the requests of the lessons about its policies, in the lesson's cluster. `pnpm
// record admit` records the answers again; a lesson without an answer prints its case.

interface Recorded {
  /** The source folder and the name of the lesson. */
  readonly id: string;
  readonly resources: readonly object[];
  readonly request: AdmissionRequest;
  readonly response: {
    readonly allowed: boolean;
    readonly status?: Status;
    readonly warnings?: readonly string[];
    readonly auditAnnotations?: Readonly<Record<string, string>>;
  };
  /** The object after the policies; absent if they deny the request. */
  readonly object?: object;
}

const lines = readLines<Recorded>(new URL('recorded-lessons.ndjson', import.meta.url));
const recorded = new Map(lines.map((each) => [each.id, each]));
const asked = new Set<string>();

describe.each(['explain', 'report', 'requests'])('%s', (folder) => {
  test.each(readLessons(folder))('$name', async (lesson: Lesson) => {
    const check = await prepareLesson(lesson);
    const [first] = check.requests;
    // Kyverno's policies are tested in `conformance/kyverno`.
    if (first === undefined || check.inputs.kyverno.length > 0) return;
    const { chain } = await loadCheck(check, { clock: () => 0 });
    const passage = passRequest(chain, first.request);
    // A request that the server rejects before any policy does not reach admission.
    if (first.refusal !== undefined || passage.failure !== undefined) return;
    const id = `${folder}: ${lesson.name}`;
    asked.add(id);
    const given = { id, resources: resourcesOf(check), request: first.request };
    const answer = recorded.get(id);
    expect(answer, `record the answer to ${JSON.stringify(given)}`).toMatchObject(given);
    const { allowed, status, warnings, auditAnnotations, object } = passage;
    const { response } = answer as Recorded;
    expect({ allowed, status, warnings, auditAnnotations }).toEqual({
      allowed: response.allowed,
      status: response.status,
      warnings: response.warnings ?? [],
      auditAnnotations: response.auditAnnotations ?? {},
    });
    if (answer?.object !== undefined) expect(object).toEqual(answer.object);
  });
});

test('every recorded answer is of a lesson', () => {
  expect([...recorded.keys()].sort()).toEqual([...asked].sort());
});

/** Every object of the cluster that the lesson gives, as JSON. */
function resourcesOf({ held }: PreparedCheck): readonly object[] {
  return JSON.parse(JSON.stringify(held.map(({ object }) => object)));
}
